// Parts of libraries that svc never reaches, as a plugin of esbuild.

/** What stands in their place. */
const STUBS = {
  // conf writes through svc's own durable writer and is given no schema.
  atomically: 'export const writeFileSync = () => { throw new Error("unreachable"); };',
  'ajv/dist/2020.js': 'export class Ajv2020 {}; export default { Ajv2020, default: Ajv2020 };',
  'ajv-formats': 'export default () => undefined;',
  // commander would load it at every start, for subcommands that are programs of their own.
  'node:child_process': 'module.exports = {};',
};

export const stubs = {
  name: 'stubs',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^(atomically|ajv|ajv-formats|node:child_process)(\/|$)/ }, ({ path, importer }) => {
      const isMeant = path in STUBS && (path !== 'node:child_process' || /[\\/]commander[\\/]/.test(importer));
      return isMeant ? { path, namespace: 'stub' } : undefined;
    });
    onLoad({ filter: /.*/, namespace: 'stub' }, ({ path }) => ({ contents: STUBS[path], loader: 'js' }));
  },
};
