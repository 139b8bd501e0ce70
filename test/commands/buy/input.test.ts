import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Hint } from '../../../src/errors.ts';
import { shownHint } from '../../support/refusal.ts';
import { svc, temporaryFolder } from '../../support/svc.ts';
import { testWire } from '../../support/wire.ts';

const PLAN = ['--plan', 'p1'];
const MIX = 'For several items, repeat --item or use --items <file>.';
const UUID = 'Copy the whole id: 32 hexadecimal digits in groups of 8-4-4-4-12.';
const NUMBER = 'is not a phone number: an optional + and 6 to 15 digits, with spaces, dots or hyphens between them.';
const NOTHING = { say: 'Name it with --plan, --domain or --item.', run: ['svc buy --help'] };

// What a value may look like is in test/kit/values and test/orders/order.test.ts.
// biome-ignore format: a table
test.each<[argv: string[], message: string, hint?: Hint]>([
  [[], 'There is nothing to order.', NOTHING],
  [['--plan', 'p1', '--plan', 'p2'], '--plan is given twice.', 'Give --item once for each item.'],
  ...['phone', 'items', 'lang'].map((name): [string[], string, string] =>
    [[`--${name}=1234567`, `--${name}=1234567`], `--${name} is given twice.`, `Give --${name} once.`]),
  [['--plan', '  '], '--plan is empty.', 'For example: --plan=…'],
  [['--plan', 'p\u0007'], '--plan has a control character in it.', 'For example: --plan=…'],
  [['--domain', 'localhost'], '--domain "localhost" has no dot; a domain has at least one.', 'For example: --domain example.com'],
  [['--plan', 'p1', '--item', 'plan=p2'], '--plan and --item do not mix.', MIX],
  [['--quantity', '2', '--items', 'x.json'], '--quantity and --items do not mix.', MIX],
  [['--item', 'plan=p1', '--items', 'x.json'], '--item and --items do not mix.', MIX],
  [['--item', 'plan=p1,plan=p2'], '--item has plan twice.', 'Give --item once for each item.'],
  [[...PLAN, '--quantity=0'], '--quantity "0" is not a whole number from 1 to 9007199254740991.', 'For example: --quantity 1'],
  [[...PLAN, '--payment', 'card'], '--payment "card" is not one of mobile_money, credit_card.', 'For example: --payment mobile_money'],
  [[...PLAN, '--promo', 'SUMMER'], '--promo "SUMMER" is not a UUID.', UUID],
  [[...PLAN, '--phone', '6700000x'], `--phone ${NUMBER}`, 'For example: --phone +237670000042'],
  [[...PLAN, '--network', ''], '--network is empty.', 'For example: --network=…'],
  ...['mtn money', 'mtn|orange', '-', 'réseau'].map((network): [string[], string, string] =>
    [[...PLAN, `--network=${network}`], `--network "${network}" is not a network code, such as mtn.`, 'For example: --network mtn']),
  [[...PLAN, '--field', 'idempotencyKey=1'], '--field idempotencyKey: the key travels in a header.', 'Use --idempotency-key <key>.'],
  [[...PLAN, '--field', 'items.x=1'], '--field items: items have options of their own.', 'Use --item, or --items <file>.'],
  [[...PLAN, '--phone', '123456', '--field', 'mobileMoneyPhone=1'], '--field mobileMoneyPhone contradicts --phone.', 'Use --field or --phone, not both.'],
  ...[
    ['paymentMethod=bitcoin', ' "bitcoin" is not one of mobile_money, credit_card.', 'For example: --payment mobile_money'],
    ['paymentMethod:=5', ' is not a text.', 'Use --payment.'],
    ['currency=usd', ' "usd" is not one of local, USD.', 'For example: --currency USD'],
    ['language=de', ' "de" is not one of fr, en.', 'For example: --lang fr'],
    ['mobileMoneyNetwork=', ' is empty.', 'For example: --network=…'],
    ['mobileMoneyPhone=abc', ` ${NUMBER}`, 'For example: --phone +237670000042'],
    ['mobileMoneyPhone.x=670000042', ' is not a text.', 'Use --phone.'],
    ['appliedPromoCodeId=SUMMER', ' "SUMMER" is not a UUID.', UUID],
    ['enableAutopay=true', ' is neither true nor false.', 'For example: enableAutopay:=true'],
  ].map(([field = '', message = '', hint = '']): [string[], string, string] =>
    [[...PLAN, '--field', field], `--field ${/^\w+/.exec(field)?.[0]}${message}`, hint]),
  ...['--plan=p1', '--autopay', '--new-order', '--dry-run'].map((other): [string[], string, string] =>
    [['--resume', 'k', other], `--resume and ${other.replace('=p1', '')} cannot be used together.`, 'svc buy --resume']),
  [['--resume', 'k', '--no-browser'], 'No order in doubt has the key k.', 'svc orders'],
  [['--resume'], 'No order is in doubt.'],
  [['--items', ''], '--items is empty.', 'Give it a value, or leave it out.'],
  [['--item', ''], '--item is empty.', 'For example: --item plan=…'],
])('%j is refused before anything is sent', async (argv, message, hint) => {
  const wire = await testWire();
  const configDir = await temporaryFolder();
  const run = await svc(['buy', '--yes', ...argv], { url: wire.url, configDir });
  expect(run).toMatchObject({ exitCode: 2, stdout: '' });
  expect(run.stderr).toBe(`Error: ${message}\n${shownHint(hint)}`);
  expect(wire.requests).toEqual([]);
  expect(readdirSync(configDir)).toEqual([]);
});

test('a key that no header carries is refused', async () => {
  const { url } = await testWire();
  const run = await svc(['buy', '--yes', '--plan', 'p1', '--idempotency-key= k'], { url });
  expect(run.exitCode).toBe(2);
  expect(run.stderr).toContain('is not 1 to 255 printable ASCII characters without spaces around them.');
});

const FIELDS = 'planId, domain, label, quantity, renew';
// biome-ignore format: a table
test.each<[text: string, message: string]>([
  ['', ' cannot be read as JSON: '],
  ['{"planId":"p1"}', ' is not a JSON array of items.'],
  ['[]', ' has no items.'],
  ['[{}]', ', item 1 is not an item.'],
  ['[{"planId":"p1"},"p2"]', ', item 2 is not an item.'],
  ['[{"plan":"p1"}]', `, item 1: "plan" is not a field of an item; there are ${FIELDS}.`],
  ['[{"planId":"p1","quanttity":5}]', `, item 1: "quanttity" is not a field of an item; there are ${FIELDS}.\n  Did you mean "quantity"?`],
  ['[{"__proto__":"p1"}]', `, item 1: "__proto__" is not a field of an item; there are ${FIELDS}.`],
  ['[{"planId":"p1","planId":"p2"}]', ' cannot be read as JSON: the name "planId" is there twice.'],
  ['[{"planId":7}]', ', item 1: planId is not a text.'],
  ['[{"planId":"p1","quantity":"2"}]', ', item 1: quantity is not a number.'],
  ['[{"planId":"p1","quantity":1.5}]', ', item 1: quantity "1.5" is not a whole number from 1 to 9007199254740991.'],
  ['[{"planId":"p1","renew":1}]', ', item 1: renew is neither true nor false.'],
  ['[{"domain":"a b.com"}]', ', item 1: domain "a b.com" is not a domain name: it contains a space.'],
])('the file %j is refused', async (text, message) => {
  const { url } = await testWire();
  const cwd = await temporaryFolder();
  writeFileSync(join(cwd, 'items.json'), text);
  const run = await svc(['buy', '--yes', '--items', 'items.json'], { url, cwd });
  expect(run).toMatchObject({ exitCode: 2, stdout: '' });
  expect(run.stderr).toContain(`Error: items.json${message}`);
});

test.each([
  ['none.json', '/none.json cannot be read: no such file or folder (ENOENT).'],
  ['.', ' cannot be read: it is a folder (EISDIR).'],
  ['large.json', '/large.json has more than 5242880 bytes.'],
])('a file that is not there, a folder and one that is far too large are refused: %s', async (file, says) => {
  const { url } = await testWire();
  const cwd = await temporaryFolder();
  writeFileSync(join(cwd, 'large.json'), Buffer.alloc(5 * 1024 * 1024 + 1, ' '));
  const run = await svc(['buy', '--yes', '--items', file], { url, cwd });
  expect(run).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(`Error: --items: ${cwd}${says}`) });
});

test('items of a file and of standard input are sent as they mean', async () => {
  const wire = await testWire();
  const cwd = await temporaryFolder();
  const text = '\uFEFF[\n  {"planId": "p1", "quantity": 2e1, "label": "é"}, {"domain":"EXAMPLE.com","renew":false}]\n';
  const items = [
    { planId: 'p1', quantity: 20, label: 'é' },
    { domain: 'example.com', renew: false },
  ];
  writeFileSync(join(cwd, 'items.json'), text);
  for (const source of ['items.json', '-']) {
    wire.on('POST', '/v1/checkout').reply(200, { orderId: 'ord_1' });
    const run = await svc(['buy', '--yes', '--items', source], { url: wire.url, cwd, stdin: text });
    expect(run.exitCode).toBe(0);
    expect(wire.requests.at(-1)?.json).toEqual({ items });
  }
});

test.each<[string, string | undefined, string[], string | undefined]>([
  ['nothing is set', undefined, [], undefined],
  ['a language is set', 'fr', [], 'fr'],
  ['another is typed', 'fr', ['--lang', 'en'], 'en'],
  ['another is a field', 'fr', ['--field', 'language=en'], 'en'],
  ['there is no payment page', 'fr', ['--payment', 'mobile_money'], undefined],
])('the payment page is in the language of svc config: %s', async (_what, lang, argv, sent) => {
  const configDir = await temporaryFolder();
  if (lang !== undefined) await svc(['config', 'set', 'lang', lang], { configDir });
  const payment = argv.includes('--payment') ? [] : ['--payment', 'credit_card'];
  const options = { url: 'https://a.example.com', configDir, env: { LC_ALL: 'fr_CM.UTF-8' } };
  const run = await svc(['buy', ...PLAN, ...payment, ...argv, '--dry-run', '--json'], options);
  expect((run.json as { body: { language?: string } }).body.language).toBe(sent);
});
