import { join } from 'node:path';
import type { Context } from '../../command/context.ts';
import { SCHEMA_VERSION } from '../../command/result.ts';
import { checkRecords } from '../../domains/records.ts';
import { asArray, asObject, asText } from '../../spec/read.ts';
import type { DnsRecord } from '../../spec/types.ts';
import { readPrivateFile } from '../../store/read.ts';
import { updateFile } from '../../store/write.ts';

/** What svc keeps of a staging, so that `svc domains status` knows what to look for. */
export interface Staging {
  /** The nameservers to set, as the service named them. */
  readonly nameservers: readonly string[];
  readonly records: readonly DnsRecord[];
  readonly service: string;
  /** ISO 8601. */
  readonly stagedAt: string;
}

/** The folder within the configuration folder with one file for each domain. */
const FOLDER = 'domains';

/** Keeps a staging in the configuration folder, in place of an earlier one of the domain. Throws where it cannot. */
export async function rememberStaging(context: Context, domain: string, staging: Staging): Promise<void> {
  const text = `${JSON.stringify({ schemaVersion: SCHEMA_VERSION, domain, ...staging })}\n`;
  await updateFile(pathOf(context, domain), context.system.machine, context.system.clock, () => text);
}

/** The last staging of a domain from this machine; `undefined` where there is none or it cannot be read. */
export function recallStaging(context: Context, domain: string): Staging | undefined {
  try {
    const file = readPrivateFile(pathOf(context, domain), context.system.machine);
    return file && stagingFrom(JSON.parse(file.text), domain);
  } catch {
    return undefined;
  }
}

/** A domain that was checked has neither slashes nor a dot in front, so its name can be that of a file. */
function pathOf(context: Context, domain: string): string {
  return join(context.vault.folder(), FOLDER, `${domain}.json`);
}

function stagingFrom(value: unknown, domain: string): Staging | undefined {
  const { schemaVersion, nameservers, records, service, stagedAt } = asObject(value);
  if (schemaVersion !== SCHEMA_VERSION) return undefined;
  return {
    nameservers: asArray(nameservers).filter((name) => typeof name === 'string'),
    records: checkRecords(asArray(records), domain).records,
    service: asText(service) ?? '',
    stagedAt: asText(stagedAt) ?? '',
  };
}
