import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Hint } from '../../../src/errors.ts';
import { shownHint } from '../../support/refusal.ts';
import { svc, temporaryFolder } from '../../support/svc.ts';
import { testWire } from '../../support/wire.ts';

const PLAN = ['--plan', 'p1'];
const MIX = 'For several items, repeat --item or use --items <file>.';
const KINDS = 'plan, domain, label, quantity, renew';

test.each<[argv: string[], message: string, hint?: Hint]>([
  [[], 'There is nothing to order.', { say: 'Name it with --plan, --domain or --item.', run: ['svc buy --help'] }],
  [['--plan', 'p1', '--plan', 'p2'], '--plan is given twice.', 'Give --item once for each item.'],
  [['--phone', '123456', '--phone', '123456'], '--phone is given twice.', 'Give --phone once.'],
  [['--items', 'a', '--items', 'a'], '--items is given twice.', 'Give --items once.'],
  [['--lang', 'fr', '--lang', 'fr'], '--lang is given twice.', 'Give --lang once.'],
  [['--plan', '  '], '--plan is empty.', 'For example: --plan=…'],
  [['--plan', 'p\u0007'], '--plan has a control character in it.', 'For example: --plan=…'],
  [
    ['--domain', 'localhost'],
    '--domain "localhost" has no dot; a domain has at least one.',
    'For example: --domain example.com',
  ],
  [['--plan', 'p1', '--item', 'plan=p2'], '--plan and --item do not mix.', MIX],
  [['--quantity', '2', '--items', 'x.json'], '--quantity and --items do not mix.', MIX],
  [['--item', 'plan=p1', '--items', 'x.json'], '--item and --items do not mix.', MIX],
  [
    ['--item', 'plam=p1'],
    `--item does not know "plam"; it accepts ${KINDS}.`,
    'For example: --item plan=… (write \\, for a comma within a value)',
  ],
  [['--item', 'plan=p1,plan=p2'], '--item has plan twice.', 'Give --item once for each item.'],
  ...['0', '9007199254740992', '1e3', '0x2', '-1', '1.5', '', '٣'].map((number): [string[], string, string] => [
    ['--plan', 'p1', `--quantity=${number}`],
    `--quantity ${JSON.stringify(number)} is not a whole number from 1 to 9007199254740991.`,
    'For example: --quantity 1',
  ]),
  [
    [...PLAN, '--payment', 'card'],
    '--payment "card" is not one of mobile_money, credit_card.',
    'For example: --payment mobile_money',
  ],
  [[...PLAN, '--currency', 'usd'], '--currency "usd" is not one of local, USD.', 'For example: --currency USD'],
  [[...PLAN, '--lang', 'de'], '--lang "de" is not one of fr, en.', 'For example: --lang fr'],
  [
    [...PLAN, '--promo', 'SUMMER'],
    '--promo "SUMMER" is not a UUID.',
    'Copy the whole id: 32 hexadecimal digits in groups of 8-4-4-4-12.',
  ],
  [[...PLAN, '--network', ''], '--network is empty.', 'For example: --network=…'],
  [
    [...PLAN, '--field', 'idempotencyKey=1'],
    '--field idempotencyKey: the key travels in a header.',
    'Use --idempotency-key <key>.',
  ],
  [
    [...PLAN, '--field', 'items:=[]'],
    '--field items: items have options of their own.',
    'Use --item, or --items <file>.',
  ],
  [
    [...PLAN, '--field', 'items.x=1'],
    '--field items: items have options of their own.',
    'Use --item, or --items <file>.',
  ],
  [
    [...PLAN, '--phone', '123456', '--field', 'mobileMoneyPhone=1'],
    '--field mobileMoneyPhone contradicts --phone.',
    'Use --field or --phone, not both.',
  ],
  [
    [...PLAN, '--payment', 'mobile_money', '--field', 'paymentMethod=credit_card'],
    '--field paymentMethod contradicts --payment.',
    'Use --field or --payment, not both.',
  ],
  ...[
    [
      'paymentMethod=bitcoin',
      ' "bitcoin" is not one of mobile_money, credit_card.',
      'For example: --payment mobile_money',
    ],
    ['paymentMethod:=5', ' is not a text.', 'Use --payment.'],
    ['currency=usd', ' "usd" is not one of local, USD.', 'For example: --currency USD'],
    ['language=de', ' "de" is not one of fr, en.', 'For example: --lang fr'],
    ['mobileMoneyNetwork=', ' is empty.', 'For example: --network=…'],
    [
      'mobileMoneyPhone=abc',
      ' is not a phone number: an optional + and 6 to 15 digits, with spaces, dots or hyphens between them.',
      'For example: --phone +237670000042',
    ],
    ['mobileMoneyPhone.x=670000042', ' is not a text.', 'Use --phone.'],
    [
      'appliedPromoCodeId=SUMMER',
      ' "SUMMER" is not a UUID.',
      'Copy the whole id: 32 hexadecimal digits in groups of 8-4-4-4-12.',
    ],
    ['enableAutopay=true', ' is neither true nor false.', 'For example: enableAutopay:=true'],
  ].map(([field = '', message = '', hint = '']): [string[], string, string] => [
    [...PLAN, '--field', field],
    `--field ${/^\w+/.exec(field)?.[0]}${message}`,
    hint,
  ]),
  [
    [...PLAN, '--field', 'a=1', '--field', 'a.b=2'],
    '--field "a.b" is both a value and an object with fields.',
    'Leave one of the two out.',
  ],
  [['--resume', 'k', '--plan', 'p1'], '--resume and --plan cannot be used together.', 'svc buy --resume'],
  [['--resume', 'k', '--autopay'], '--resume and --autopay cannot be used together.', 'svc buy --resume'],
  [['--resume', 'k', '--new-order'], '--resume and --new-order cannot be used together.', 'svc buy --resume'],
  [['--resume', '--dry-run'], '--resume and --dry-run cannot be used together.', 'svc buy --resume'],
  [['--resume', 'k'], 'No order in doubt has the key k.', 'svc orders'],
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

test.each(['12345', '+1234567890123456', '6700000x', '٦٧٠٠٠٠٠٠', '++237670000', ''])(
  'the phone number %j is refused without being repeated',
  async (number) => {
    const wire = await testWire();
    const run = await svc(['buy', '--yes', '--plan', 'p1', `--phone=${number}`], { url: wire.url });
    expect(run.exitCode).toBe(2);
    expect(run.stderr).toMatch(/^Error: --phone is not a phone number: an optional \+ and 6 to 15 digits/);
    if (number !== '') expect(run.stderr).not.toContain(number);
  },
);

test.each(['', ' k', 'clé', 'a\nb', 'x'.repeat(256)])('the key %j is refused', async (key) => {
  const wire = await testWire();
  const run = await svc(['buy', '--yes', '--plan', 'p1', `--idempotency-key=${key}`], { url: wire.url });
  expect(run.exitCode).toBe(2);
  expect(run.stderr).toContain('is not 1 to 255 printable ASCII characters without spaces around them.');
});

test.each<[text: string, message: string]>([
  ['', 'items.json cannot be read as JSON: '],
  ['[{"planId": }]', 'items.json cannot be read as JSON: '],
  ['{"planId":"p1"}', 'items.json is not a JSON array of items.'],
  ['[]', 'items.json has no items.'],
  ['[{}]', 'items.json, item 1 is not an item.'],
  ['[{"planId":"p1"},"p2"]', 'items.json, item 2 is not an item.'],
  [
    '[{"plan":"p1"}]',
    'items.json, item 1: "plan" is not a field of an item; there are planId, domain, label, quantity, renew.',
  ],
  [
    '[{"planId":"p1","quanttity":5}]',
    'items.json, item 1: "quanttity" is not a field of an item; there are planId, domain, label, quantity, renew.',
  ],
  [
    '[{"__proto__":"p1"}]',
    'items.json, item 1: "__proto__" is not a field of an item; there are planId, domain, label, quantity, renew.',
  ],
  ['[{"planId":"p1","planId":"p2"}]', 'items.json cannot be read as JSON: the name "planId" is there twice.'],
  ['[{"planId":7}]', 'items.json, item 1: planId is not a text.'],
  ['[{"planId":""}]', 'items.json, item 1: planId is empty.'],
  ['[{"planId":"p1","quantity":"2"}]', 'items.json, item 1: quantity is not a number.'],
  [
    '[{"planId":"p1","quantity":1.5}]',
    'items.json, item 1: quantity "1.5" is not a whole number from 1 to 9007199254740991.',
  ],
  [
    '[{"planId":"p1","quantity":0}]',
    'items.json, item 1: quantity "0" is not a whole number from 1 to 9007199254740991.',
  ],
  ['[{"planId":"p1","renew":1}]', 'items.json, item 1: renew is neither true nor false.'],
  ['[{"domain":"a b.com"}]', 'items.json, item 1: domain "a b.com" is not a domain name: it contains a space.'],
])('the file %j is refused', async (text, message) => {
  const wire = await testWire();
  const cwd = await temporaryFolder();
  writeFileSync(join(cwd, 'items.json'), text);
  const run = await svc(['buy', '--yes', '--items', 'items.json'], { url: wire.url, cwd });
  expect(run).toMatchObject({ exitCode: 2, stdout: '' });
  const [first = ''] = run.stderr.split('\n');
  expect(message.endsWith(': ') ? first.slice(0, message.length + 7) : first).toBe(`Error: ${message}`);
});

test('a file that is not there, a folder and one that is far too large are refused', async () => {
  const wire = await testWire();
  const cwd = await temporaryFolder();
  writeFileSync(join(cwd, 'large.json'), Buffer.alloc(5 * 1024 * 1024 + 1, ' '));
  const refusal = async (file: string) => {
    const run = await svc(['buy', '--yes', '--items', file], { url: wire.url, cwd });
    expect(run.exitCode).toBe(2);
    return run.stderr.split('\n')[0]?.replaceAll(cwd, '<cwd>');
  };
  expect(await refusal('none.json')).toBe(
    'Error: --items: <cwd>/none.json cannot be read: no such file or folder (ENOENT).',
  );
  expect(await refusal('.')).toBe('Error: --items: <cwd> cannot be read: it is a folder (EISDIR).');
  expect(await refusal('large.json')).toBe('Error: --items: <cwd>/large.json has more than 5242880 bytes.');
  const piped = await svc(['buy', '--yes', '--items', '-'], { url: wire.url, stdin: ' '.repeat(5 * 1024 * 1024 + 1) });
  expect(piped.exitCode).toBe(2);
});

test('a file of items is sent as it means', async () => {
  const wire = await testWire();
  const cwd = await temporaryFolder();
  writeFileSync(join(cwd, 'items.json'), '\uFEFF[\n  {"planId": "p1", "quantity": 2e1, "label": "é"}\n]\n');
  wire.on('POST', '/v1/checkout').reply(200, { orderId: 'ord_1' });
  const run = await svc(['buy', '--yes', '--items', 'items.json'], { url: wire.url, cwd });
  expect(run.exitCode).toBe(0);
  expect(wire.requests[0]?.json).toEqual({ items: [{ planId: 'p1', quantity: 20, label: 'é' }] });
  const piped = await svc(['buy', '--items', '-', '--dry-run', '--jq', '.body.items[].planId'], {
    url: wire.url,
    stdin: '\uFEFF[{"planId": "p2"}]',
  });
  expect(piped).toMatchObject({ exitCode: 0, stdout: 'p2\n' });
});

test.each(['mtn money', 'clear; svc domains add a.example', 'mtn|orange', '-', 'réseau'])(
  '%j is no network',
  async (network) => {
    const wire = await testWire();
    const run = await svc(['buy', '--plan', 'p1', '--phone', '+237670000042', `--network=${network}`, '--yes'], {
      url: wire.url,
    });
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toContain('is not a network code, such as mtn.\n');
    expect(wire.requests).toEqual([]);
  },
);

test.each<[string, string | undefined, string[], string | undefined]>([
  ['nothing is set', undefined, [], undefined],
  ['a language is set', 'fr', [], 'fr'],
  ['another is typed', 'fr', ['--lang', 'en'], 'en'],
  ['another is a field', 'fr', ['--field', 'language=en'], 'en'],
  ['there is no payment page', 'fr', ['--payment', 'mobile_money', '--phone', '+237670000042'], undefined],
])('the payment page is in the language of svc config: %s', async (_what, lang, argv, sent) => {
  const configDir = await temporaryFolder();
  if (lang !== undefined) expect((await svc(['config', 'set', 'lang', lang], { configDir })).exitCode).toBe(0);
  const payment = argv.includes('--payment') ? [] : ['--payment', 'credit_card'];
  const env = { SVC_TOKEN: 'svc_test', SVC_API_URL: 'https://a.example.com', LC_ALL: 'fr_CM.UTF-8' };
  const done = await svc(['buy', ...PLAN, ...payment, ...argv, '--network', 'mtn', '--dry-run', '--json'], {
    configDir,
    env,
  });
  expect(done.json, done.stderr).toMatchObject({ body: { items: [{ planId: 'p1' }] } });
  expect((done.json as { body: { language?: string } }).body.language).toBe(sent);
});
