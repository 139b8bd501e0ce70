import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { decode, encode } from 'dns-packet';
import { expect, onTestFinished, test } from 'vitest';
import { ask, askOverTcp } from '../../src/dns/client.ts';
import { type DnsAnswer, type DnsQuestion, FORMERR, message, REFUSED, SERVFAIL, testDns } from '../support/dns.ts';
import { closedPort, testTcp } from '../support/tcp.ts';

const QUESTION = { name: 'example.test', type: 'A' } as const;
const ADDRESS = { name: 'example.test', type: 'A', ttl: 300, data: '192.0.2.1' } as const;
/** An answer is waited for as long as it takes. */
const PATIENT = { recursive: true, triesMs: [120_000] };

test('an answer over UDP is read, and the question asks for recursion and long answers', async () => {
  const dns = await testDns(() => ({ answers: [ADDRESS], authoritative: false }));
  const answers = [{ name: 'example.test', type: 'A', value: '192.0.2.1' }];
  const plain = { code: 'NOERROR', authoritative: false, truncated: false, authorities: [] };
  expect(await ask(dns, QUESTION, PATIENT)).toEqual({ ...plain, answers });
  expect(dns.questions).toMatchObject([{ name: 'example.test', type: 'A', over: 'udp', recursive: true, edns: true }]);
});

test('an answer that does not fit, or is cut in the middle of a record, is asked for again over TCP', async () => {
  const texts = Array.from({ length: 3000 }, (_, index) => Buffer.from(`text number ${index}`));
  const long: DnsAnswer = { answers: [{ name: 'example.test', type: 'TXT', ttl: 60, data: texts }] };
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

test('a lost packet is sent again, with a new id', async () => {
  const ids = new Set<number>();
  const dns = await testDns(({ id }) => {
    ids.add(id);
    return ids.size < 2 ? undefined : { answers: [ADDRESS] };
  });
  expect((await ask(dns, QUESTION, { recursive: true, triesMs: [50, 120_000] })).answers).toHaveLength(1);
  expect(ids.size).toBe(2);
});

test('a server that does not listen where the whole answer would be, over TCP, is not asked again', async () => {
  const udp = createSocket('udp4').bind(await closedPort(), '127.0.0.1');
  onTestFinished(() => void udp.close());
  await once(udp, 'listening');
  let asked = 0;
  udp.on('message', (bytes, from) => {
    asked += 1;
    const question = { ...QUESTION, id: decode(bytes).id ?? 0, over: 'udp', recursive: true, edns: true } as const;
    udp.send(message(question, { truncated: true }), from.port, from.address);
  });
  const reply = await ask({ host: '127.0.0.1', port: udp.address().port }, QUESTION, {
    ...PATIENT,
    triesMs: [5_000, 5_000],
  });
  expect([reply.code, asked]).toEqual(['unreachable', 1]);
});

test.each([SERVFAIL, REFUSED])('a server that fails (code %i) is asked again, and then believed', async (code) => {
  const patient = { recursive: true, triesMs: [5_000, 5_000] };
  const passing = await testDns(() => (passing.questions.length < 2 ? { code } : { answers: [ADDRESS] }));
  expect((await ask(passing, QUESTION, patient)).answers).toHaveLength(1);
  const always = await testDns(() => ({ code }));
  expect((await ask(always, QUESTION, patient)).code).toBe(code === SERVFAIL ? 'SERVFAIL' : 'REFUSED');
  expect(always.questions).toHaveLength(2);
});

test('packets that do not answer the question are ignored, until one does', async () => {
  const dns = await testDns((question) => [
    message({ ...question, id: (question.id + 1) % 65_536 }, { answers: [{ ...ADDRESS, data: '203.0.113.66' }] }),
    message({ ...question, name: 'evil.test' }, { answers: [{ ...ADDRESS, data: '203.0.113.66' }] }),
    message({ ...question, type: 'AAAA' }, {}),
    encode({ type: 'query', id: question.id, questions: [QUESTION] }),
    Buffer.alloc(0),
    Buffer.from('GET / HTTP/1.1\r\n\r\n'),
    Buffer.alloc(65_000, 0xff),
    loopingName(question),
    // A name is the same name in any case.
    message({ ...question, name: 'EXAMPLE.Test' }, { answers: [ADDRESS] }),
  ]);
  expect((await ask(dns, QUESTION, PATIENT)).answers.map(({ value }) => value)).toEqual(['192.0.2.1']);
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

test('silence, noise, a closed port and a broken TCP answer have different kinds', async () => {
  const silent = await testDns(() => undefined);
  const noisy = await testDns(() => [Buffer.from('noise')]);
  const cut = await testDns(({ over }) => (over === 'udp' ? { truncated: true } : [Buffer.from('noise')]));
  const closed = { host: '127.0.0.1', port: await closedPort() };
  expect(await ask(silent, QUESTION, { recursive: false, triesMs: [100] })).toMatchObject({ code: 'silent' });
  // Noise may be followed by the answer, so it is known only when the time is over.
  expect(await ask(noisy, QUESTION, { recursive: false, triesMs: [2_000] })).toMatchObject({ code: 'garbled' });
  expect(await ask(cut, QUESTION, PATIENT)).toMatchObject({ code: 'garbled' });
  expect(await ask(closed, QUESTION, PATIENT)).toMatchObject({ code: 'unreachable' });
});

test('a TCP answer may arrive byte by byte; a cut or missing one is a fault', async () => {
  const drip = await testTcp((socket) => {
    socket.once('data', async (bytes) => {
      const { id = 0 } = decode(bytes.subarray(2));
      const answer = message({ ...QUESTION, id, over: 'tcp', recursive: true, edns: true }, { answers: [ADDRESS] });
      const framed = Buffer.concat([Buffer.from([answer.length >> 8, answer.length & 0xff]), answer]);
      for (const byte of framed) await new Promise((resolve) => socket.write(Buffer.of(byte), resolve));
    });
  });
  const early = await testTcp((socket) => socket.once('data', () => socket.end(Buffer.from([0, 99, 1, 2, 3]))));
  const never = await testTcp(() => {});
  const options = { recursive: true, edns: true, timeoutMs: 120_000 };
  const at = (port: number) => ({ host: '127.0.0.1', port });
  expect((await askOverTcp(at(drip.port), QUESTION, options)).answers).toHaveLength(1);
  expect(await askOverTcp(at(early.port), QUESTION, options)).toMatchObject({ code: 'garbled' });
  expect(await askOverTcp(at(never.port), QUESTION, { ...options, timeoutMs: 100 })).toMatchObject({ code: 'silent' });
});

test('aborting ends the wait with the reason of the signal', async () => {
  const interruption = new AbortController();
  const dns = await testDns(() => {
    interruption.abort(new Error('interrupted'));
    return undefined;
  });
  const asked = ask(dns, QUESTION, { recursive: true, triesMs: [10_000], signal: interruption.signal });
  await expect(asked).rejects.toThrow('interrupted');
  await expect(ask(dns, QUESTION, { recursive: true, signal: interruption.signal })).rejects.toThrow('interrupted');
});

/** An answer whose name points at itself. */
function loopingName(question: DnsQuestion): Buffer {
  const bytes = message(question, { answers: [ADDRESS] });
  const start = message(question, {}).length;
  bytes.writeUInt16BE(0xc000 | start, start);
  return bytes;
}
