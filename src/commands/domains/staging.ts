import { resolve } from 'node:path';
import type { Answer } from '../../api/call.ts';
import { scanCall, stagingCall } from '../../api/operations.ts';
import type { Needs } from '../../cli/define/context.ts';
import { document, type Result, withView } from '../../cli/define/define.ts';
import type { Domain } from '../../cli/values/names.ts';
import type { DnsRecord, StagedDomain } from '../../contract/types.ts';
import { writeZone } from '../../dns/write-zone.ts';
import { plural } from '../../terminal/numbers.ts';
import { describeKnown } from '../shared/names.ts';
import { showPreview } from '../shared/show-preview.ts';
import { createDsError, type DsLookup, describeDomain, lookUpDs } from './dns.ts';
import { judgeStaging } from './judge-staging.ts';
import { listDoubts, showRecords } from './records.ts';
import { rememberStaging, type Staging } from './remember-staging.ts';
import { saveZone } from './save-zone.ts';
import type { Gathered } from './scan.ts';

/** The records that somebody wants to stage, and where. */
interface StagingChoice {
  readonly domain: Domain;
  readonly service: string;
  readonly gathered: Gathered;
  readonly records: readonly DnsRecord[];
  /** The file of `--records`; once confirmed, where such records are. */
  readonly file: string | undefined;
}

/** A choice that was confirmed. */
export type StagingPlan = Awaited<ReturnType<typeof confirmStaging>>;

/** Warns of what is to be read before the question, asks it, and saves the zone as scanned. */
export async function confirmStaging(
  context: Needs<'io' | 'settings' | 'store' | 'time' | 'env' | 'program'>,
  choice: StagingChoice,
) {
  const { domain, service, gathered, records, file } = choice;
  const ds = await lookUpDs(context, domain.ascii);
  await warnOfDoubts(context, choice, ds);

  const serviceTitle = describeKnown(context, 'services', service);
  await context.io.confirmOrStop(
    `Stage ${plural(records.length, 'record')} of ${describeDomain(domain)} on ${serviceTitle}?`,
    (screen) => showRecords(screen, records, domain.ascii),
  );
  const saved = gathered.scan && (await saveZone(context, gathered.scan));
  // A zone file has no form for some records; staging it again would lose them.
  const { isWhole } = writeZone(records, domain.ascii);
  const path = file === undefined || file === '-' ? file : resolve(context.program.cwd(), file);
  return {
    ...choice,
    /** The service as people know it: `kola-blog (svc_1)`. */
    serviceTitle,
    file: path ?? (isWhole ? saved : undefined),
    ds,
    /** The zone file with the records as they were scanned. */
    saved,
    hasDashboard: context.settings.dashboard() !== undefined,
  };
}

/** @param ds undefined for a request that is only shown */
export async function warnOfDoubts(
  { io }: Needs<'io'>,
  { domain, gathered, records }: StagingChoice,
  ds: DsLookup | undefined,
): Promise<void> {
  const remark = gathered.scan?.remarks.sentence;
  if (remark !== undefined) await io.warn(remark, 'scan_says_more');
  for (const doubt of listDoubts(gathered, records, domain.ascii, ds)) {
    await io.warn(doubt, 'records_doubtful');
  }
  const failure = ds && createDsError(domain.ascii, ds);
  if (failure?.code === 'no_data') await io.warn(failure.message, 'dnssec_unknown');
}

/** Previews a scan: only its answer tells which records the body of the staging would have. */
export async function previewScan(
  context: Needs<'api'>,
  { ascii }: Domain,
  service: string,
): Promise<Result<never>> {
  const client = await context.api.client();
  const { body: _, ...followedBy } = client.preview(stagingCall(service, ascii, []));
  const scan = client.preview(scanCall(ascii));
  return withView(document('dry-run', { ...scan, followedBy }), (screen) => {
    showPreview(screen, scan);
    screen.line();
    const { method, url } = followedBy;
    screen.line(`Then svc would stage the records of the scan: ${method} ${url}`);
  });
}

/** The records that were staged, with what the answer says of them. */
export interface Staged extends StagingPlan {
  readonly answer: Answer<StagedDomain>;
  readonly judged: ReturnType<typeof judgeStaging>;
  readonly staging: Staging;
  /** Whether `svc domains status` knows the nameservers by itself. */
  readonly isRemembered: boolean;
}

/** Stages records (operation 5), and remembers them unless the answer says no. */
export async function stageRecords(
  context: Needs<'api' | 'assume' | 'io' | 'store' | 'time'>,
  plan: StagingPlan,
): Promise<Staged> {
  const { service, records, file } = plan;
  const domain = plan.domain.ascii;
  const client = await context.api.client();
  const answer = await client.call<StagedDomain>(stagingCall(service, domain, records));
  const judged = judgeStaging(answer, { domain, records }, context.assume);
  for (const [text, code] of judged.warnings) await context.io.warn(text, code);

  const stagedAt = new Date(context.time.clock.now()).toISOString();
  const staging = { nameservers: judged.nameservers, records, service, stagedAt, file };
  const isRemembered =
    judged.failure?.code !== 'failed' && (await rememberStaging(context, domain, staging));
  return { ...plan, answer, judged, staging, isRemembered };
}
