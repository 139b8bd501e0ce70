import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { createConsent } from '../../../src/cli/run/create-context.ts';
import { createIo } from '../../../src/terminal/io.ts';
import type { Host } from '../../../src/terminal/terminal.ts';
import { IO_DEFAULTS } from '../../support/io.ts';

/** The consent of a line that a program runs inside svc. */
function consentOf(confirm: Host['confirm'], yes: boolean) {
  const io = createIo({
    ...IO_DEFAULTS,
    ...{ stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough() },
    ...{ env: {}, platform: 'linux', host: { confirm, progress: () => undefined } },
  });
  return createConsent(io, {
    globals: { yes },
    settings: { choice: () => undefined },
    line: ['buy'],
  });
}

test.each([true, false])(
  'a program asks the person, or is refused if it cannot, with --yes (%s) too',
  async (yes) => {
    await consentOf(async (question) => question === 'Place it?', yes).confirmOrStop('Place it?');
    const refused = consentOf(async () => false, yes).confirmOrStop('Place it?');
    await expect(refused).rejects.toMatchObject({ code: 'usage', details: { isCancelled: true } });
    const { confirmOrStop, requireInteractive } = consentOf(undefined, yes);
    await expect(confirmOrStop('Place it?')).rejects.toMatchObject({ code: 'usage' });
    await expect(requireInteractive()).rejects.toMatchObject({
      details: { hint: { by: 'person' } },
    });
  },
);
