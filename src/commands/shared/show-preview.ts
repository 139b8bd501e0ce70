import type { Client } from '../../api/call.ts';
import { document, type Result, withView } from '../../cli/define/define.ts';
import { maskPhone } from '../../cli/values/phone.ts';
import { ORDER_BODY } from '../../contract/fields/operations.ts';
import { asObject, findField, toJsonText } from '../../json/values.ts';
import { maskJson, maskSecrets } from '../../terminal/mask.ts';
import { formatJson } from '../../terminal/safe-text.ts';
import { dim, type Screen } from '../../terminal/screen.ts';

/** The document of a request that was not sent. */
export function createDryRun(preview: ReturnType<Client['preview']>): Result<never> {
  return withView(document('dry-run', preview), (screen) => showPreview(screen, preview));
}

/** Shows a request that was not sent, with secrets and phone numbers masked. */
export function showPreview(
  screen: Screen,
  { method, url, headers, body }: ReturnType<Client['preview']>,
): void {
  screen.line(dim('Nothing was sent. The request would be:'));
  screen.heading(`${method} ${url}`);
  showHeaders(screen, pickHeaders(headers));
  if (body === undefined || body === null) return;
  const json = () => formatJson(maskJson(maskPhones(toJsonText(body))), { indent: true });
  screen.line();
  screen.verbatim(typeof body === 'string' ? body : json());
}

/** Leaves out what svc sends each time: people look at whom a request is for, and at its key. */
function pickHeaders(headers: Readonly<Record<string, string>>) {
  const isChosen = ([name]: [string, string]) => /^(?:x-service-org|idempotency-key)$/i.test(name);
  return Object.fromEntries(Object.entries(headers).filter(isChosen));
}

/** Shows headers under their own names, with secrets masked. */
export function showHeaders(screen: Screen, headers: Readonly<Record<string, string>>): void {
  screen.fields(
    Object.entries(asObject(maskSecrets(headers))).map(([name, value]) => [name, String(value)]),
  );
}

const isPhone = (name: string) => findField(findField(ORDER_BODY, name), 'secret') === 'phone';
const NUMBER_FIELD = /("(\w+)"\s*:\s*)"?(\+?\d+)"?/g;

/** Masks for people, who may share their screen; scripts get the exact body. */
function maskPhones(json: string) {
  return json.replaceAll(NUMBER_FIELD, (all, start: string, name: string, phone: string) =>
    isPhone(name) ? `${start}"${maskPhone(phone)}"` : all,
  );
}
