/**
 * The one door for heavy packages: each is loaded at its first use and never by an import at the top of a file.
 * A package that is missing here is not used by svc, but for commander, where the command tree is built, and hono, in the
 * sandbox: those parts are loaded as a whole.
 */
export const lazy = {
  chalk: async () => (await import('chalk')).Chalk,
  conf: async () => (await import('conf')).default,
  dnsPacket: async () => exportsOf(await import('dns-packet')),
  jq: async () => (await import('jq-wasm/inline')).loadJq,
  open: async () => (await import('open')).default,
  ora: async () => (await import('ora')).default,
  prompts: async () => await import('@clack/prompts'),
  table: async () => (await import('cli-table3')).default,
  tldts: async () => exportsOf(await import('tldts')),
  /** Its client and its way to ask alone: the whole of undici takes 20 ms more to load. */
  undici: async () => {
    const { default: Client } = await import('undici/lib/dispatcher/client.js');
    const { default: request } = await import('undici/lib/api/api-request.js');
    return { Client, request };
  },
} as const;

/** What a CommonJS package exports: built into chunks, it stands behind `default` alone. */
function exportsOf<T extends object>(module: T): T {
  return 'default' in module ? (module.default as T) : module;
}
