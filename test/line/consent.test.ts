import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import type { Globals } from '../../src/kit/globals.ts';
import { createConsent } from '../../src/line/context.ts';
import { createIo } from '../../src/terminal/io.ts';
import type { Host } from '../../src/terminal/terminal.ts';

/** The consent of a line with or without `--yes`, which a program runs inside svc. */
function consentOf(host: Host | undefined, yes: boolean) {
  const io = createIo({
    ...{ stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough() },
    ...{ env: {}, platform: 'linux', host },
  });
  const globals = { yes } as Globals;
  return createConsent(io, { globals, choice: () => undefined }, (...words) => ['svc buy', ...words].join(' '));
}

test.each([true, false])('a program that can ask the person asks, with and without --yes (%s)', async (yes) => {
  const questions: string[] = [];
  const host = (answer: boolean): Host => ({
    confirm: async (question) => {
      questions.push(question);
      return answer;
    },
    progress: () => undefined,
  });
  await consentOf(host(true), yes).confirmOrStop('Place this order?');
  const refused = consentOf(host(false), yes).confirmOrStop('Place that order?');
  await expect(refused).rejects.toMatchObject({ code: 'usage', details: { isCancelled: true } });
  expect(questions).toEqual(['Place this order?', 'Place that order?']);
});

test.each([true, false])('a program that can ask nobody is refused, with and without --yes (%s)', async (yes) => {
  const { confirmOrStop, requireInteractive } = consentOf({ confirm: undefined, progress: () => undefined }, yes);
  await expect(confirmOrStop('Place this order?')).rejects.toMatchObject({ code: 'usage' });
  await expect(requireInteractive()).rejects.toMatchObject({ details: { hint: { by: 'person' } } });
});

test('off a terminal and without a program, --yes is needed and is enough', async () => {
  await expect(consentOf(undefined, false).confirmOrStop('Place this order?')).rejects.toMatchObject({ code: 'usage' });
  await consentOf(undefined, true).confirmOrStop('Place this order?');
});
