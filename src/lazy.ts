/**
 * Packages that are loaded at their first use. commander (`src/cli/read`) reads every line, and the
 * files that import hono (`sandbox`) are loaded late.
 */
export const lazy = {
  chalk: async () => (await import('chalk')).Chalk,
  conf: async () => (await import('conf')).default,
  dnsPacket: async () => getExports(await import('dns-packet')),
  jq: async () => (await import('jq-wasm/inline')).loadJq,
  open: async () => (await import('open')).default,
  ora: async () => (await import('ora')).default,
  prompts: async () => await import('@clack/prompts'),
  table: async () => (await import('cli-table3')).default,
  tldts: async () => getExports(await import('tldts')),
  /** The client and its request function: the whole of undici takes 20 ms longer to load. */
  undici: async () => {
    const { default: Client } = await import('undici/lib/dispatcher/client.js');
    const { default: request } = await import('undici/lib/api/api-request.js');
    return { Client, request };
  },
} as const;

/** Returns all exports of a CommonJS package, which has them under `default` once bundled. */
function getExports<T extends object>(module: T): T {
  return 'default' in module ? (module.default as T) : module;
}
