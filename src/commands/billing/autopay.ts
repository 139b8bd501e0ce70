import { getAutopay } from '../../api/billing.ts';
import type { Context } from '../../command/context.ts';
import type { Attach, Declaration } from '../../command/declaration.ts';
import { type Result, readAnswer } from '../../command/result.ts';
import type { Screen } from '../../io/screen.ts';
import { asBoolean, asText, unreadFields } from '../../spec/read.ts';
import type { Autopay } from '../../spec/types.ts';

/** `svc billing autopay` takes no options of its own. */
export type AutopayOptions = Readonly<Record<never, never>>;

export function define(parent: Declaration, attach: Attach): void {
  const command = parent.command('autopay').description('Show whether renewals are paid automatically, and how');
  attach(command, {
    run,
    human,
    examples: [
      ['svc billing autopay', 'who pays the renewals'],
      ['svc billing autopay --json', 'the same as JSON, for scripts'],
    ],
  });
}

export async function run({ client, stream }: Context, _options: AutopayOptions): Promise<Result<Autopay>> {
  return readAnswer(await getAutopay(await client(), stream), (autopay) => autopay);
}

export function human(screen: Screen, autopay: Autopay): void {
  const { enabled, phoneMasked, provider, currency } = autopay;
  if (enabled === true) screen.success('Renewals are paid automatically.');
  else if (enabled === false) screen.line('Renewals are not paid automatically.');
  else screen.line('The service did not say whether renewals are paid automatically.');
  screen.fields([
    ['Phone', asText(phoneMasked)],
    ['Provider', asText(provider)],
    ['Currency', asText(currency)],
  ]);
  screen.rest(unreadFields(autopay, { enabled: asBoolean, phoneMasked: asText, provider: asText, currency: asText }));
  if (enabled === false) screen.next([['svc buy --plan <id> --autopay', 'saves a number with the next order']]);
}
