import { expect, test } from 'vitest';
import { findAnswerRecords } from '../../src/dns/client.ts';
import { createEmptyReply, type QueryType } from '../../src/dns/message.ts';

const alias = (name: string, value: string) => ({ name, type: 'CNAME', value });
const REPLY = {
  ...createEmptyReply('NOERROR'),
  answers: [
    alias('www.ex.com', 'a.cdn.test'),
    alias('a.cdn.test', 'b.cdn.test'),
    alias('b.cdn.test', 'www.ex.com'),
    { name: 'b.cdn.test', type: 'A', value: '192.0.2.1' },
    { name: 'c.cdn.test', type: 'A', value: '192.0.2.2' },
  ],
};

test.each<[what: string, type: QueryType, values: readonly string[]]>([
  ['an address is found over its aliases, also around a circle', 'A', ['192.0.2.1']],
  ['an alias is the one of the name itself', 'CNAME', ['a.cdn.test']],
])('%s', (_what, type, values) => {
  const records = findAnswerRecords({ name: 'www.ex.com', type }, REPLY);

  expect(records.map(({ value }) => value)).toEqual(values);
});

test('the nameservers of a zone above, to which a server refers, are not those of the name', () => {
  const toNs = (name: string, value: string) => ({ name, type: 'NS', value });
  const authorities = [toNs('com', 'a.above.test'), toNs('ex.com', 'ns1.ex.com')];

  const records = findAnswerRecords(
    { name: 'ex.com', type: 'NS' },
    { ...createEmptyReply('NOERROR'), authorities },
  );

  expect(records).toEqual([toNs('ex.com', 'ns1.ex.com')]);
});
