import type { System } from '../../kit/context.ts';
import type { DocumentOf } from '../../spec/fields/documents.ts';

/** Says which svc this is, as `svc --version --json` and `svc doctor` do. */
export function buildOf({ version, commit, built, runtime }: System): DocumentOf<'version'> {
  const node = runtime.name === 'node' ? runtime.version : null;
  return { version, commit: commit || null, built: built || null, node, runtime: `${runtime.name}/${runtime.version}` };
}
