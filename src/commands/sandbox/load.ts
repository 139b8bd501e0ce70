/** Loads the sandbox; the only door to it, so that the client and the sandbox share nothing but the service's document. */
export const loadSandbox = () => import('../../sandbox/server.ts');
