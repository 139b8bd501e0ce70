import { encode } from 'dns-packet';
import { expect, test } from 'vitest';
import { ask } from '../../src/dns/client.ts';
import {
  BADCOOKIE,
  BADVERS,
  type DnsAnswer,
  type DnsQuestion,
  FORMERR,
  message,
  REFUSED,
  SERVFAIL,
  testDns,
} from '../support/dns.ts';
import { closedPort } from '../support/tcp.ts';

const QUESTION = { name: 'example.test', type: 'A' } as const;
const ADDRESS = { name: 'example.test', type: 'A', ttl: 300, data: '192.0.2.1' } as const;
/** An answer is waited for as long as it takes. */
const PATIENT = { recursive: true, triesMs: [120_000] };

test('an answer that does not fit, or is cut in the middle of a record, is asked for again over TCP', async () => {
  const texts = Array.from({ length: 3000 }, (_, index) => Buffer.from(`text number ${index}`));
  const long: DnsAnswer = {
    answers: [{ name: 'example.test', type: 'TXT', ttl: 60, data: texts }],
  };
  const dns = await testDns(({ over }) => (over === 'udp' ? { truncated: true } : long));
  const reply = await ask(dns, { name: 'example.test', type: 'TXT' }, PATIENT);
  expect(reply.answers[0]?.value).toBe(texts.join(''));
  expect(dns.questions.map(({ over }) => over)).toEqual(['udp', 'tcp']);
  const cut = await testDns((question) => {
    if (question.over === 'tcp') return { answers: [ADDRESS] };
    return [message(question, { truncated: true, answers: [ADDRESS, ADDRESS] }).subarray(0, -7)];
  });
  expect((await ask(cut, QUESTION, PATIENT)).answers).toHaveLength(1);
});

test('an answer that is cut over TCP as well is no answer: records may be missing', async () => {
  const dns = await testDns(() => ({ truncated: true, answers: [ADDRESS] }));
  expect(await ask(dns, QUESTION, PATIENT)).toMatchObject({ code: 'garbled', answers: [] });
});

test('a lost packet is sent again, with a new id', async () => {
  const ids = new Set<number>();
  const dns = await testDns(({ id }) => {
    ids.add(id);
    return ids.size < 2 ? undefined : { answers: [ADDRESS] };
  });
  expect(
    (await ask(dns, QUESTION, { recursive: true, triesMs: [500, 120_000] })).answers,
  ).toHaveLength(1);
  expect(ids.size).toBe(2);
});

test('packets that do not answer the question are ignored, until one does', async () => {
  const evil = { answers: [{ ...ADDRESS, data: '203.0.113.66' }] };
  const dns = await testDns((question) => [
    message({ ...question, id: (question.id + 1) % 65_536 }, evil),
    message({ ...question, name: 'evil.test' }, evil),
    message({ ...question, type: 'AAAA' }, {}),
    encode({ type: 'query', id: question.id, questions: [QUESTION] }),
    // No answer, though it is cut.
    encode({ type: 'query', id: question.id, flags: 0x200, questions: [QUESTION] }).subarray(0, -3),
    Buffer.alloc(0),
    Buffer.alloc(65_000, 0xff),
    loopingName(question),
    // A name is the same name in any case.
    message({ ...question, name: 'EXAMPLE.Test' }, { answers: [ADDRESS] }),
  ]);
  expect((await ask(dns, QUESTION, PATIENT)).answers.map(({ value }) => value)).toEqual([
    '192.0.2.1',
  ]);
});

test('a server that does not know EDNS is asked without it', async () => {
  const dns = await testDns((question) => {
    if (!question.edns) return { answers: [ADDRESS] };
    const refusal = message(question, { code: FORMERR });
    // The head alone, without the question, as old servers answer.
    refusal.writeUInt16BE(0, 4);
    return [refusal.subarray(0, 12)];
  });
  expect((await ask(dns, QUESTION, PATIENT)).answers).toHaveLength(1);
  expect(dns.questions.map(({ edns }) => edns)).toEqual([true, false]);
});

test.each<[what: string, toEdns: DnsAnswer]>([
  ['does not know its version (BADVERS)', { code: BADVERS }],
  ['wants a cookie (BADCOOKIE)', { code: BADCOOKIE }],
  ['calls it a mistake', { code: FORMERR }],
  ['has not implemented it', { code: 4 }],
  ['refuses it', { code: REFUSED }],
  ['fails at it', { code: SERVFAIL }],
  ['drops it', undefined],
  ['answers it with noise', [Buffer.from('noise')]],
])('a server that %s is asked without EDNS', async (_what, toEdns) => {
  const dns = await testDns(({ edns }) => (edns ? toEdns : { answers: [ADDRESS] }));
  const { code, answers } = await ask(dns, QUESTION, { recursive: false, triesMs: [500, 120_000] });

  expect(code).toBe('NOERROR');
  expect(answers).toHaveLength(1);
});

test.each([16, 17, 22, 23, 6, 11])('response code %i is never "no such record"', async (code) => {
  const dns = await testDns(() => ({ code }));
  const reply = await ask(dns, QUESTION, PATIENT);

  expect(reply.code).toBe('OTHER');
});

test('silence, noise, a closed port and a broken TCP answer have different kinds', async () => {
  const silent = await testDns(() => undefined);
  const noisy = await testDns(() => [Buffer.from('noise')]);
  const cut = await testDns(({ over }) =>
    over === 'udp' ? { truncated: true } : [Buffer.from('noise')],
  );
  const closed = { host: '127.0.0.1', port: await closedPort() };
  expect(await ask(silent, QUESTION, { recursive: false, triesMs: [100] })).toMatchObject({
    code: 'silent',
  });
  // Noise may be followed by the answer, so it is known only when the time is over.
  expect(await ask(noisy, QUESTION, { recursive: false, triesMs: [2_000] })).toMatchObject({
    code: 'garbled',
  });
  expect(await ask(cut, QUESTION, PATIENT)).toMatchObject({ code: 'garbled' });
  expect(await ask(closed, QUESTION, PATIENT)).toMatchObject({ code: 'unreachable' });
});

test('aborting ends the wait with the reason of the signal', async () => {
  const interruption = new AbortController();
  const dns = await testDns(() => {
    interruption.abort(new Error('interrupted'));
    return undefined;
  });
  const asked = ask(dns, QUESTION, {
    recursive: true,
    triesMs: [10_000],
    signal: interruption.signal,
  });
  await expect(asked).rejects.toThrow('interrupted');
});

/** An answer whose name points at itself. */
function loopingName(question: DnsQuestion): Buffer {
  const bytes = message(question, { answers: [ADDRESS] });
  const start = message(question, {}).length;
  bytes.writeUInt16BE(0xc000 | start, start);
  return bytes;
}

test('an answer that is cut over TCP as well is no answer', async () => {
  const dns = await testDns(() => ({ truncated: true }));

  expect((await ask(dns, QUESTION, PATIENT)).code).toBe('garbled');
  expect(dns.questions.map(({ over }) => over)).toEqual(['udp', 'tcp']);
});

test('a record of another class is no answer', async () => {
  const dns = await testDns(() => ({ answers: [{ ...ADDRESS, class: 'CH' }, ADDRESS] }));

  expect((await ask(dns, QUESTION, PATIENT)).answers).toHaveLength(1);
});
