import { expect, test } from 'vitest';
import { readRecords } from '../../src/zone/read.ts';
import { refusal } from '../support/refusal.ts';

const RECORD = { subdomain: 'www', type: 'A', value: '192.0.2.1', ttl: 60 };
const read = (text: string) => readRecords(text, 'example.com', 'plan.json', ({ message }) => expect.fail(message));

test('a plan, a list and a zone file hold the same records', () => {
  const plan = { apex: 'Example.com.', records: [RECORD], warnings: [], extra: 1 };
  expect(read(JSON.stringify(plan))).toEqual({ records: [RECORD], plan });
  expect(read(`\ufeff\n ${JSON.stringify([RECORD])}`)).toEqual({ records: [RECORD] });
  expect(read('www 60 IN A 192.0.2.1')).toEqual({ records: [RECORD], lines: [1] });
  expect(read('[]')).toEqual({ records: [] });
});

const TRY = 'Try: svc domains import example.com --output plan.json';

// biome-ignore format: a table
test.each([
  ['a plan of another domain', '{"apex":"example.net","records":[]}', `plan.json has the records of "example.net", not of example.com. ${TRY}`],
  ['a file without a text', ' \n', `plan.json is empty. ${TRY}`],
  ['an object without records', '{"error":"not found"}', 'plan.json is a JSON object without a list named records'],
  ['an object whose records are no list', '{"records":{}}', 'without a list named records'],
  ['a name that a record has twice', '[{"ttl":60,"ttl":3600}]', 'plan.json cannot be read as JSON: the name "ttl" is there twice.'],
  ['broken JSON', '{\n  "records": [\n    {"ttl": 60,}\n  ]\n}', 'plan.json cannot be read as JSON: '],
])('%s is refused', (_what, text, words) => {
  expect(refusal(() => read(text))).toContain(words);
});
