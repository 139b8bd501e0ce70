// The software bill of materials (CycloneDX 1.6): the packages that the bundler took in, and the
// runtime of the executables. THIRD-PARTY-NOTICES has their licences, and those of what they
// contain.
import { createHash } from 'node:crypto';

/** @typedef {import('../notices.mjs').Package} Package */

/**
 * The bill of materials as JSON text.
 * @param {object} made
 * @param {Pick<Package, 'name' | 'version' | 'license'>} made.about the package.json of svc
 * @param {number} made.time in seconds since 1970
 * @param {readonly Package[]} made.packages
 * @param {Readonly<Record<string, { integrity?: string }>>} made.locked the packages of
 * package-lock.json
 * @param {string} made.bun the version of the runtime
 */
export function sbom({ about, time, packages, locked, bun }) {
  const runtime = {
    type: 'platform',
    name: 'bun',
    version: bun,
    description: 'The runtime in the executables.',
    licenses: [{ license: { name: 'MIT, and those of its parts' } }],
    purl: `pkg:github/oven-sh/bun@bun-v${bun}`,
  };
  const body = {
    version: 1,
    metadata: {
      timestamp: new Date(time * 1000).toISOString(),
      component: { ...npmComponent(about), type: 'application' },
    },
    components: [
      ...packages.map((one) => ({ ...npmComponent(one), ...hashesOf(locked[one.folder]) })),
      runtime,
    ],
  };
  const serialNumber = `urn:uuid:${uuidOf(JSON.stringify(body))}`;
  return `${JSON.stringify({ bomFormat: 'CycloneDX', specVersion: '1.6', serialNumber, ...body }, null, 2)}\n`;
}

/** @param {Pick<Package, 'name' | 'version' | 'license'>} package_ */
function npmComponent({ name, version, license }) {
  const licenses = [license.includes(' ') ? { expression: license } : { license: { id: license } }];
  return {
    type: 'library',
    name,
    version,
    licenses,
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
  };
}

/**
 * npm writes the SHA-512 of a package's archive in base64. @param {{ integrity?: string } |
 * undefined} locked
 */
function hashesOf(locked) {
  const hash = /^sha512-(.+)$/.exec(locked?.integrity ?? '')?.[1];
  if (hash === undefined) return {};
  return { hashes: [{ alg: 'SHA-512', content: Buffer.from(hash, 'base64').toString('hex') }] };
}

/** A UUID of version 8 (RFC 9562) that depends on the text alone. @param {string} text */
function uuidOf(text) {
  const hex = createHash('sha256').update(text).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
