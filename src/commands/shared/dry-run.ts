import type { Call, Client } from '../../api/call.ts';
import type { Result } from '../../cli/define/result.ts';

/** Needs no sign-in, and sends nothing. */
export async function previewed(client: Client, call: Call): Promise<Result<never>> {
  const { dryRunOf } = await import('./show-preview.ts');
  return dryRunOf(client.preview(call));
}
