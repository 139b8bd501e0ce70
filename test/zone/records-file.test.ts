import { expect, test } from 'vitest';
import { readRecords } from '../../src/zone/records-file.ts';
import { refusal } from '../support/refusal.ts';

const RECORD = { subdomain: 'www', type: 'A', value: '192.0.2.1', ttl: 60 };
const read = (text: string) =>
  readRecords(text, 'example.com', { name: 'plan.json', onFault: ({ message }) => expect.fail(message) });
const refused = (text: string) => refusal(() => read(text));

test('a plan, a list and a zone file hold the same records', () => {
  const plan = {
    apex: 'Example.com.',
    currentNameservers: ['ns1.old.example'],
    records: [RECORD],
    warnings: [],
    extra: 1,
  };
  expect(read(JSON.stringify(plan))).toEqual({ records: [RECORD], plan });
  expect(read(`\ufeff\n ${JSON.stringify([RECORD])}`)).toEqual({ records: [RECORD] });
  expect(read('www 60 IN A 192.0.2.1')).toEqual({ records: [RECORD], lines: [1] });
  expect(read('[]')).toEqual({ records: [] });
});

test('a plan of another domain is refused', () => {
  expect(refused(JSON.stringify({ apex: 'example.net', records: [RECORD] }))).toBe(
    'plan.json has the records of "example.net", not of example.com. Try: svc domains import example.com --output plan.json',
  );
});

test('a file without records is refused', () => {
  expect(refused(' \n')).toBe('plan.json is empty. Try: svc domains import example.com --output plan.json');
  expect(refused('{"error":"not found"}')).toContain('plan.json is a JSON object without a list named records');
  expect(refused('{"records":{}}')).toContain('without a list named records');
});

test('a name that a record has twice is refused: nobody knows which value was meant', () => {
  expect(refused('[{"subdomain":"www","type":"A","value":"192.0.2.1","ttl":60,"ttl":3600}]')).toContain(
    'plan.json cannot be read as JSON: the name "ttl" is there twice.',
  );
});

test('broken JSON is refused', () => {
  expect(refused('{\n  "records": [\n    {"ttl": 60,}\n  ]\n}')).toContain('plan.json cannot be read as JSON: ');
  expect(refused(`[${'['.repeat(300)}`)).toContain('it nests deeper than 200 levels');
});
