import { asCliError } from '../../command/report.ts';
import { shellWord } from '../../command/shell-word.ts';
import { CliError } from '../../errors.ts';
import { newKey } from '../../purchase/key.ts';
import { IDEMPOTENCY_HEADER } from '../../spec/operations.ts';
import { toJsonText } from '../../spec/raw-json.ts';
import { asObject, asText, parseJson } from '../../spec/read.ts';

/** The idempotency key of an order that is sent by `svc api`. */
export interface OrderKey {
  readonly key: string;
  /** Whether the command line has it already, in a header or in the body. */
  readonly isGiven: boolean;
}

/** The key that an order carries, and a new one if it carries none. */
export function keyOf(headers: Readonly<Record<string, string>>, body: unknown): OrderKey {
  const name = Object.keys(headers).find((header) => header.toLowerCase() === IDEMPOTENCY_HEADER.toLowerCase());
  const given = name === undefined ? keyIn(body) : headers[name];
  return { key: given ?? newKey(), isGiven: given !== undefined };
}

function keyIn(body: unknown): string | undefined {
  const text = Buffer.isBuffer(body) ? body.toString('utf8') : toJsonText(body);
  return asText(asObject(parseJson(text))['idempotencyKey']);
}

/** The error of an order with its key; if the order may exist, it says how to send it again without ordering twice. */
export function orderError(thrown: unknown, { key, isGiven }: OrderKey): CliError {
  const error = thrown instanceof CliError ? thrown : inDoubt(asCliError(thrown));
  const { outcome, lines = [] } = error.details;
  if (outcome !== 'unknown') return error.with({ idempotencyKey: key });
  const header = shellWord(`${IDEMPOTENCY_HEADER}: ${key}`);
  return error.with({
    idempotencyKey: key,
    lines: [...lines, 'The order may exist. If the service honours this key, repeating it does not order twice:', key],
    hint: isGiven ? 'the same command again: it carries the key' : `the same command with -H ${header}`,
  });
}

/** What svc did not expect may have happened after the order was sent. */
function inDoubt({ message, details }: CliError): CliError {
  return new CliError('unavailable', message, { ...details, outcome: 'unknown' });
}
