import { document, type Result, shownBy } from '../../kit/result.ts';
import type { Call, Client } from '../../service/call.ts';

/** Needs no sign-in, and sends nothing. */
export async function previewed(client: Client, call: Call): Promise<Result<never>> {
  const { showPreview } = await import('./show-preview.ts');
  const preview = client.preview(call);
  return shownBy(document('dry-run', preview), (screen) => showPreview(screen, preview));
}
