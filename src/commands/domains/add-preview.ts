import { scanCall, stagingCall } from '../../api/operations.ts';
import type { Context } from '../../command/context.ts';
import type { Domain } from '../../command/parse/domain.ts';
import { document, type Result } from '../../command/result.ts';
import type { Screen } from '../../io/screen.ts';
import { type Preview, showPreview } from '../shared/dry-run.ts';
import { gatherFromFile } from './gather.ts';
import { doubtsOf, settleRecords } from './settle.ts';

/** The request that `domains add` would send first and, where that is a scan, the staging that would follow. */
export type AddPreview = Preview & { readonly followedBy?: Omit<Preview, 'body'> };

/** What a preview is made for. */
interface Previewed {
  readonly domain: Domain;
  readonly service: string;
  /** The file with the records; absent where they would be scanned. */
  readonly records: string | undefined;
  readonly skipInvalid: boolean;
}

/**
 * The result of `--dry-run`. With records at hand it is the staging request, checked as for sending. Without, it is the
 * scan: which records the staging would carry is known only after a request that needs a sign-in, so its body is left out.
 */
export async function previewAdd(context: Context, given: Previewed): Promise<Result<{ preview: AddPreview }>> {
  const preview = await (given.records === undefined ? previewScan(context, given) : previewStaging(context, given));
  return { ...document(preview), value: { preview } };
}

/** Shows what would be sent. */
export function showAddPreview(screen: Screen, preview: AddPreview): void {
  showPreview(screen, preview);
  if (preview.followedBy === undefined) return;
  screen.line();
  screen.line(`Then the records of the scan would be staged: ${preview.followedBy.method} ${preview.followedBy.url}`);
}

async function previewScan(context: Context, { domain, service }: Previewed): Promise<AddPreview> {
  const client = await context.api.client();
  const { body: _, ...followedBy } = client.preview(stagingCall(service, domain.ascii, []));
  return { ...client.preview(scanCall(domain.ascii)), followedBy };
}

async function previewStaging(context: Context, given: Previewed): Promise<AddPreview> {
  const { domain, service, skipInvalid } = given;
  const gathered = await gatherFromFile(context, domain, given.records ?? '', skipInvalid);
  const records = await settleRecords(context, gathered, skipInvalid);
  for (const doubt of doubtsOf(gathered, records, domain.ascii)) await context.io.warn(doubt);
  return (await context.api.client()).preview(stagingCall(service, domain.ascii, records));
}
