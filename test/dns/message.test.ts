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
    {
      name: 'moved.test',
      type: 'CAA',
      ttl: 60,
      data: { flags: 0, tag: 'issue', value: 'ca.test' },
    },
  ],
});

test('records of types that svc does not know are passed over', () => {
  const answers = [{ name: 'moved.test', type: 'TXT', value: 'one two' }];
  expect(decodeReply(dnsPacket, GOOD, QUESTION, ID)).toMatchObject({ answers });
});

test('random bytes, and an answer with changed or cut bytes, are read or ignored, and never throw', () => {
  const changes = fc.array(fc.tuple(fc.nat({ max: GOOD.length - 1 }), fc.nat({ max: 255 })), {
    maxLength: 6,
  });
  const near = fc.tuple(changes, fc.nat({ max: GOOD.length })).map(([list, length]) => {
    const bytes = Buffer.from(GOOD);
    for (const [at, byte] of list) bytes[at] = byte;
    return bytes.subarray(0, length);
  });
  const isReadOrIgnored = (bytes: Uint8Array) => {
    const reply = decodeReply(dnsPacket, Buffer.from(bytes), QUESTION, ID);
    for (const record of reply?.answers ?? []) expect(typeof record.value).toBe('string');
  };
  fc.assert(
    fc.property(fc.oneof(near, fc.uint8Array({ maxLength: 600 })), isReadOrIgnored),
    tries(10_000, 53_001),
  );
});

test('a question asks once, for one name, and only a resolver is asked to recurse', () => {
  for (const recursive of [true, false]) {
    const packet = dnsPacket.decode(
      encodeQuery(dnsPacket, QUESTION, { id: ID, edns: true, recursive }),
    );
    expect(packet).toMatchObject({
      id: ID,
      flag_qr: false,
      flag_rd: recursive,
      flag_cd: recursive,
    });
    expect(packet.questions).toEqual([{ ...QUESTION, class: 'IN' }]);
  }
});
