import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { svc, temporaryFolder } from '../../support/svc.ts';
import { testWire } from '../../support/wire.ts';

const PLAN = ['--plan', 'p1'];

// What a value may look like is in test/cli/values/values.test.ts.
test.each<[argv: string[], message: string]>([
  [[], 'There is nothing to order.'],
  [[...PLAN, '--plan', 'p2'], '--plan is given twice.\n  Give --item once for each item.'],
  [['--phone=1234567', '--phone=1234567'], '--phone is given twice.'],
  [['--plan', 'p1', '--item', 'plan=p2'], '--plan and --item do not mix.'],
  [[...PLAN, '--network=mtn money'], '--network "mtn money" is not a network code, such as mtn.'],
  [[...PLAN, '--idempotency-key= k'], 'is not 1 to 255 printable ASCII characters'],
  [
    [...PLAN, '--field', 'idempotencyKey=1'],
    '--field idempotencyKey: the key travels in a header.\n  Use --idempotency-key',
  ],
  [[...PLAN, '--field', 'items.x=1'], '--field items: items have options of their own.'],
  [
    [...PLAN, '--phone', '123456', '--field', 'mobileMoneyPhone=1'],
    '--field mobileMoneyPhone contradicts --phone.',
  ],
  [
    [...PLAN, '--field', 'paymentMethod=bitcoin'],
    '--field paymentMethod "bitcoin" is not one of mobile_money, credit_card.',
  ],
  [
    [...PLAN, '--field', 'mobileMoneyPhone.x=670000042'],
    '--field mobileMoneyPhone is not a text.\n  Use --phone.',
  ],
  [
    [...PLAN, '--field', 'enableAutopay=true'],
    '--field enableAutopay is neither true nor false.\n  For example: enableAutopay:=true',
  ],
  [['--resume', 'k', '--plan=p1'], '--resume and --plan cannot be used together.'],
  [['--resume', 'k', '--no-browser'], 'No order in doubt has the key k.'],
  [['--resume'], 'No order is in doubt.'],
])('%j is refused before anything is sent', async (argv, message) => {
  const { url } = await testWire();
  const configDir = await temporaryFolder();
  const run = await svc(['buy', '--yes', ...argv], { url, configDir });
  expect(run).toMatchObject({ exitCode: 2, stdout: '', stderr: expect.stringContaining(message) });
  expect(readdirSync(configDir)).toEqual([]);
});

test.each<[text: string, message: string]>([
  ['{"planId":"p1"}', ' is not a JSON array of items.'],
  ['[{"planId":"p1"},{}]', ', item 2 is not an item.'],
  ['[{"planId":"p1","quanttity":5}]', ', item 1: "quanttity" is not a field of an item;'],
  ['[{"planId":"p1","planId":"p2"}]', ' cannot be read as JSON: the name "planId" is there twice.'],
  ['[{"planId":7}]', ', item 1: planId is not a text.'],
  ['[{"planId":"p1","quantity":"2"}]', ', item 1: quantity is not a number.'],
  ['[{"planId":"p1","renew":1}]', ', item 1: renew is neither true nor false.'],
])('the file %j is refused', async (text, message) => {
  const { url } = await testWire();
  const cwd = await temporaryFolder();
  writeFileSync(join(cwd, 'items.json'), text);
  const run = await svc(['buy', '--yes', '--items', 'items.json'], { url, cwd });
  const stderr = expect.stringContaining(`Error: items.json${message}`);
  expect(run).toMatchObject({ exitCode: 2, stdout: '', stderr });
});

test('items of a file are sent as they mean', async () => {
  const wire = await testWire();
  wire.on('POST', '/v1/checkout').reply(200, { orderId: 'ord_1' });
  const stdin =
    '\uFEFF[\n  {"planId": "p1", "quantity": 2e1, "label": "é"}, {"domain":"EXAMPLE.com","renew":false}]\n';
  expect(await svc(['buy', '--yes', '--items', '-'], { url: wire.url, stdin })).toMatchObject({
    exitCode: 0,
  });
  const items = [
    { planId: 'p1', quantity: 20, label: 'é' },
    { domain: 'example.com', renew: false },
  ];
  expect(wire.requests[0]?.json).toEqual({ items });
});

test.each<[string, string[], string | undefined]>([
  ['none is typed', ['--payment', 'credit_card'], 'fr'],
  ['there is no payment page', [], undefined],
])('the payment page is in the language of svc config: %s', async (_what, argv, sent) => {
  const configDir = await temporaryFolder();
  await svc(['config', 'set', 'lang', 'fr'], { configDir });
  const { json } = await svc(['buy', ...PLAN, ...argv, '--dry-run', '--json'], {
    url: 'https://a.example.com',
    configDir,
  });
  expect((json as { body: { language?: string } }).body.language).toBe(sent);
});
