// The software bill of materials (CycloneDX 1.6): the packages that the bundler took in, what they contain as
// WebAssembly, and for an executable the runtime with what it links.
import { createHash } from 'node:crypto';

/** @typedef {import('../notices.mjs').Package} Package */
/** @typedef {{ name: string, version?: string | undefined, licence: string, url?: string, only?: string }} Part */
/** @typedef {{ integrity?: string }} Locked */

/**
 * Parts of packages that are compiled C; scripts/webassembly.txt has their licences. Versions where they are known.
 * @type {Record<string, Array<Omit<Part, 'version'> & { version?: (one: Package) => string | undefined }>>}
 */
const IN_WEBASSEMBLY = {
  'jq-wasm': [
    { name: 'jq', version: ({ version }) => version.split('-jq-')[1], licence: 'MIT' },
    { name: 'Oniguruma', licence: 'BSD-2-Clause' },
    { name: 'decNumber', licence: 'ICU' },
    { name: 'dtoa.c by David M. Gay', licence: 'dtoa' },
    { name: 'strptime of NetBSD', licence: 'BSD-2-Clause' },
    { name: 'musl', licence: 'MIT' },
    { name: 'Emscripten', licence: 'MIT' },
  ],
  undici: [{ name: 'llhttp', licence: 'MIT' }],
};

/** @typedef {{ version: string, parts: readonly Part[] }} Runtime */
/** @typedef {{ 'bom-ref': string } & Record<string, unknown>} Component */

/**
 * The bill of materials as JSON text.
 * @param {object} made
 * @param {{ name: string, version: string, license: string }} made.about the package.json of svc
 * @param {number} made.time in seconds since 1970
 * @param {readonly Package[]} made.packages
 * @param {Record<string, Locked>} made.locked the packages of package-lock.json
 * @param {Runtime} [made.bun] the runtime inside, from bun-parts.json
 */
export function sbom({ about, time, packages, locked, bun }) {
  const svc = { ...npmComponent(about), type: 'application' };
  /** @type {Component[]} */
  const components = packages.map((one) => packageComponent(one, locked[one.folder]));
  if (bun !== undefined) components.push(runtimeComponent(bun));
  const body = {
    version: 1,
    metadata: { timestamp: new Date(time * 1000).toISOString(), component: svc },
    components,
    dependencies: [{ ref: svc['bom-ref'], dependsOn: components.map((one) => one['bom-ref']) }],
  };
  const bom = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${uuidOf(JSON.stringify(body))}`,
    ...body,
  };
  return `${JSON.stringify(bom, null, 2)}\n`;
}

/**
 * @param {Package} one
 * @param {Locked | undefined} locked
 * @returns {Component}
 */
function packageComponent(one, locked) {
  const parts = IN_WEBASSEMBLY[one.name]?.map((part) => partComponent({ ...part, version: part.version?.(one) }, one));
  // npm writes the SHA-512 of the package's archive in base64.
  const hash = /^sha512-(.+)$/.exec(locked?.integrity ?? '')?.[1];
  return {
    ...npmComponent(one),
    ...(hash && { hashes: [{ alg: 'SHA-512', content: Buffer.from(hash, 'base64').toString('hex') }] }),
    ...(parts && { components: parts }),
  };
}

/** @param {Pick<Package, 'name' | 'version' | 'license'>} package_ */
function npmComponent({ name, version, license }) {
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  return { type: 'library', 'bom-ref': purl, name, version, licenses: licences(license), purl };
}

/** @param {Runtime} bun */
function runtimeComponent({ version, parts }) {
  const purl = `pkg:github/oven-sh/bun@bun-v${version}`;
  const components = parts.map((part) => partComponent(part, { name: 'bun' }));
  const description = 'The runtime in the executables.';
  return {
    ...{ type: 'platform', 'bom-ref': purl, name: 'bun', version, description, licenses: licences('MIT'), purl },
    components,
  };
}

/**
 * A part without a package of its own.
 * @param {Part} part
 * @param {{ name: string }} parent
 */
function partComponent({ name, version, licence, url, only }, parent) {
  const repository = /^https:\/\/github\.com\/(.+)$/.exec(url ?? '')?.[1]?.toLowerCase();
  return {
    type: 'library',
    'bom-ref': `${parent.name}/${name}`,
    name,
    ...(version && { version }),
    ...(only && { description: `Only in the executable for ${only}.` }),
    licenses: licences(licence),
    ...(repository && version && { purl: `pkg:github/${repository}@${version}` }),
    ...(url && { externalReferences: [{ type: 'website', url }] }),
  };
}

/** @param {string} licence */
function licences(licence) {
  if (licence === 'dtoa') return [{ license: { name: 'David M. Gay dtoa License' } }];
  return licence.includes(' ') ? [{ expression: licence }] : [{ license: { id: licence } }];
}

/**
 * A UUID of version 8 (RFC 9562) that only depends on the text.
 * @param {string} text
 */
function uuidOf(text) {
  const hex = createHash('sha256').update(text).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  );
}
