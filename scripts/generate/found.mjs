// What others find svc by: the entry of the MCP registry, the plugin of Claude Code, and the manifest of the .mcpb bundle.

/** @typedef {{ name: string, version: string, license: string, author: string, mcpName: string, description: string, engines: { node: string }, repository: { url: string } }} Manifest */

/** At most 100 characters, as the registry wants it. */
const ABOUT = 'Look at and manage services, databases, domains, orders and usage of the hosting platform';

const SERVER_SCHEMA = 'https://static.modelcontextprotocol.io/schemas/2025-09-29/server.schema.json';

const SETTINGS = [
  { name: 'SVC_API_URL', key: 'api_url', title: 'Address', description: 'Address of the platform' },
  {
    name: 'SVC_TOKEN',
    key: 'token',
    title: 'Token',
    description: 'API token; leave it out to sign in with the tool login',
    isSecret: true,
  },
];

/** @param {unknown} value */
const toText = (value) => `${JSON.stringify(value, null, 2)}\n`;

/** @param {Manifest} manifest */
const authorOf = ({ author }) => author.replace(/ <.*/, '');

/**
 * Returns the files by which registries and clients find svc.
 * @param {Manifest} manifest package.json
 * @returns {Readonly<Record<string, string>>}
 */
export function foundFiles(manifest) {
  const { name, version, license, mcpName } = manifest;
  const plugin = { name: 'svc', version, description: ABOUT, author: { name: authorOf(manifest) }, license };
  return {
    'server.json': toText({
      $schema: SERVER_SCHEMA,
      name: mcpName,
      description: ABOUT,
      version,
      packages: [
        {
          registryType: 'npm',
          identifier: name,
          version,
          transport: { type: 'stdio' },
          packageArguments: [{ type: 'positional', value: 'mcp' }],
          environmentVariables: SETTINGS.map(({ name: variable, description, isSecret = false }) => ({
            name: variable,
            description,
            isSecret,
            isRequired: false,
          })),
        },
      ],
    }),
    '.claude-plugin/plugin.json': toText({
      ...plugin,
      keywords: ['hosting', 'deployments', 'dns', 'wordpress', 'databases'],
      mcpServers: { svc: { command: 'svc', args: ['mcp'] } },
    }),
    '.claude-plugin/marketplace.json': toText({
      name: 'svc',
      owner: { name: authorOf(manifest) },
      plugins: [{ name: 'svc', source: './', description: ABOUT }],
    }),
  };
}

/**
 * Returns manifest.json of the .mcpb bundle, which holds the npm package.
 * @param {Manifest} manifest package.json
 */
export function bundleManifest(manifest) {
  const { version, license, description, engines } = manifest;
  return toText({
    manifest_version: '0.3',
    name: 'svc',
    display_name: 'svc',
    version,
    description: ABOUT,
    long_description: `${description}. The tools read; to allow more, add svc by hand with "svc mcp --allow".`,
    author: { name: authorOf(manifest) },
    license,
    server: {
      type: 'node',
      entry_point: 'bin/svc.cjs',
      mcp_config: {
        command: 'node',
        args: [`\${__dirname}/bin/svc.cjs`, 'mcp'],
        env: Object.fromEntries(SETTINGS.map(({ name, key }) => [name, `\${user_config.${key}}`])),
      },
    },
    tools_generated: true,
    user_config: Object.fromEntries(
      SETTINGS.map(({ key, title, description: meaning, isSecret = false }) => [
        key,
        { type: 'string', title, description: meaning, required: false, sensitive: isSecret },
      ]),
    ),
    compatibility: { platforms: ['darwin', 'linux', 'win32'], runtimes: { node: engines.node } },
  });
}
