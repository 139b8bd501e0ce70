import type { Call, Client } from '../../api/call.ts';
import type { Result } from '../../cli/define/define.ts';

/** Needs no sign-in, and sends nothing. */
export async function previewRequest(client: Client, call: Call): Promise<Result<never>> {
  const { createDryRun } = await import('./show-preview.ts');
  return createDryRun(client.preview(call));
}
