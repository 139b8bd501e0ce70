import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import type { Globals } from '../../src/kit/globals.ts';
import { createConsent } from '../../src/line/context.ts';
import { createIo } from '../../src/terminal/io.ts';
import type { Host } from '../../src/terminal/terminal.ts';

/** The consent of a line with or without `--yes`, which a program runs inside svc. */
function consentOf(host: Host, yes: boolean) {
  const io = createIo({
    ...{ stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough() },
    ...{ env: {}, platform: 'linux', host },
  });
  const globals = { yes } as Globals;
  return createConsent(io, { globals, choice: () => undefined }, (...words) => ['svc buy', ...words].join(' '));
}

const hostOf = (confirm: Host['confirm']): Host => ({ confirm, progress: () => undefined });

test.each([true, false])(
  'a program asks the person, or is refused if it cannot, with and without --yes (%s)',
  async (yes) => {
    const questions: string[] = [];
    const answering = (answer: boolean) =>
      hostOf(async (question) => {
        questions.push(question);
        return answer;
      });
    await consentOf(answering(true), yes).confirmOrStop('Place this order?');
    const refused = consentOf(answering(false), yes).confirmOrStop('Place that order?');
    await expect(refused).rejects.toMatchObject({ code: 'usage', details: { isCancelled: true } });
    expect(questions).toEqual(['Place this order?', 'Place that order?']);
    const { confirmOrStop, requireInteractive } = consentOf(hostOf(undefined), yes);
    await expect(confirmOrStop('Place this order?')).rejects.toMatchObject({ code: 'usage' });
    await expect(requireInteractive()).rejects.toMatchObject({ details: { hint: { by: 'person' } } });
  },
);
