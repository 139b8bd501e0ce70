import * as dnsPacket from 'dns-packet';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type DnsQuestion, decodeReply, encodeQuery } from '../../src/dns/message.ts';
import { tries } from '../support/property.ts';

const QUESTION: DnsQuestion = { name: 'moved.test', type: 'TXT' };
const ID = 4711;

const GOOD = dnsPacket.encode({
  type: 'response',
  id: ID,
  flags: dnsPacket.AUTHORITATIVE_ANSWER,
  questions: [{ name: 'moved.test', type: 'TXT' }],
  answers: [
    { name: 'moved.test', type: 'TXT', ttl: 60, data: ['one ', 'two'] },
    { name: 'moved.test', type: 'CAA', ttl: 60, data: { flags: 0, tag: 'issue', value: 'ca.test' } },
    { name: 'moved.test', type: 'HINFO', ttl: 60, data: { cpu: 'a', os: 'b' } },
  ],
});

test('records of types that svc does not know are passed over', () => {
  expect(decodeReply(dnsPacket, GOOD, QUESTION, ID)?.answers).toEqual([
    { name: 'moved.test', type: 'TXT', value: 'one two' },
  ]);
});

test('random bytes are never an answer and never throw', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 600 }), (bytes) => {
      const reply = decodeReply(dnsPacket, Buffer.from(bytes), QUESTION, ID);
      expect(reply === undefined || reply.truncated).toBe(true);
    }),
    tries(5000, 53_001),
  );
});

test('an answer with changed or cut bytes is read or ignored, and never throws', () => {
  const changes = fc.array(fc.tuple(fc.nat({ max: GOOD.length - 1 }), fc.nat({ max: 255 })), { maxLength: 6 });
  fc.assert(
    fc.property(changes, fc.nat({ max: GOOD.length }), (list, length) => {
      const bytes = Buffer.from(GOOD.subarray(0, length));
      for (const [at, byte] of list) if (at < bytes.length) bytes[at] = byte;
      const reply = decodeReply(dnsPacket, bytes, QUESTION, ID);
      for (const record of reply?.answers ?? []) expect(typeof record.value).toBe('string');
    }),
    tries(5000, 53_002),
  );
});

test('a question asks once, for one name, and only a resolver is asked to recurse', () => {
  for (const recursive of [true, false]) {
    const packet = dnsPacket.decode(encodeQuery(dnsPacket, QUESTION, { id: ID, edns: true, recursive }));
    expect(packet).toMatchObject({ id: ID, flag_qr: false, flag_rd: recursive, flag_cd: recursive });
    expect(packet.questions).toEqual([{ name: 'moved.test', type: 'TXT', class: 'IN' }]);
  }
});
