import { join } from 'node:path';
import type { Needs } from '../../cli/define/context.ts';
import type { DnsRecord } from '../../contract/operations.ts';
import { checkRecords } from '../../dns/records.ts';
import { asArray, asText, type JsonObject } from '../../json/values.ts';
import { changeDocument, type DocumentKind, readDocument } from '../../store/document.ts';
import { describeSystemError } from '../../store/problem.ts';

/** A damaged document counts as absent. */
const STAGING: DocumentKind<JsonObject> = { format: 1, empty: {}, parse: (fields) => fields };

/** The facts of a staging that `svc domains status` looks for. */
export interface Staging {
  readonly nameservers: readonly string[];
  readonly records: readonly DnsRecord[];
  readonly service?: string | undefined;
  /** ISO 8601. */
  readonly stagedAt?: string | undefined;
  /** A file with the records as they should be: the one that was given, or the saved scan. */
  readonly file?: string | undefined;
  /** The file of `--records` that says what was staged, on this machine or another. */
  readonly recordsFile?: string;
}

/** Saves a staging over an earlier one of the domain; warns if that fails. */
export async function rememberStaging(
  context: Needs<'io' | 'store' | 'time'>,
  domain: string,
  staging: Staging,
): Promise<boolean> {
  const { io, store, time } = context;
  try {
    const place = { path: getPath(context, domain), machine: store.machine, clock: time.clock };
    await changeDocument(place, STAGING, ({ write }) =>
      write({ file: undefined, domain, ...staging }),
    );
    return true;
  } catch (error) {
    const sentence = `svc cannot save what was staged (${describeSystemError(error)}). svc domains status will need --nameserver.`;
    await io.warn(sentence, 'staging_not_saved');
    return false;
  }
}

/** Recalls the last staging of a domain from this machine. */
export function recallStaging(context: Needs<'store'>, domain: string): Staging | undefined {
  const { content } = readDocument(getPath(context, domain), STAGING, context.store.machine);
  const { nameservers, records, service, stagedAt, file } = content;
  const checked = checkRecords(asArray(records), domain);
  // Without one of its records, a move would look complete too early.
  if (!Array.isArray(records) || checked.problems.length > 0) return undefined;
  return {
    nameservers: asArray(nameservers).filter((name) => typeof name === 'string'),
    records: checked.records,
    service: asText(service),
    stagedAt: asText(stagedAt),
    file: asText(file),
  };
}

/** A parsed domain has neither slashes nor a leading dot, so it is safe as a file name. */
function getPath(context: Needs<'store'>, domain: string): string {
  return join(context.store.configFolder(), 'domains', `${domain}.json`);
}
