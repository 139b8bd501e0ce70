import { type CliError, cancelled, usageError } from '../errors.ts';
import { type Asked, needsYes } from '../kit/ask.ts';
import { AGENTS_SPEND } from '../kit/config-file.ts';
import type { CommandIo } from '../kit/context.ts';
import type { Globals } from '../kit/globals.ts';
import type { Settings } from '../kit/setting.ts';
import { drawScreen } from '../terminal/draw.ts';

interface Consenting extends Asked {
  readonly globals: Globals;
  readonly settings: Pick<Settings, 'choice'>;
}

/** Makes what asks for consent; nothing but the word `yes` is one where money is spent or DNS is moved. */
export function createConsent({ io, system, globals, settings }: Consenting) {
  const { host } = io;
  const requireInteractive: CommandIo['requireInteractive'] = async () => {
    if (host !== undefined) {
      if (host.confirm === undefined) throw needsPerson('this program cannot ask one', [system.again()]);
      return;
    }
    if (io.agent !== undefined && settings.choice(AGENTS_SPEND)?.value !== 'allow') {
      const allow = `svc config set ${AGENTS_SPEND} allow`;
      throw needsPerson(`${io.agent} says that an agent typed this`, [system.again(), allow]);
    }
    if (globals.yes || io.interactive) return;
    throw needsYes({ io, system });
  };
  const confirmOrStop: CommandIo['confirmOrStop'] = async (question, details, { word = true } = {}) => {
    await requireInteractive();
    if (host === undefined && globals.yes) return;
    const text = details === undefined ? '' : await drawScreen(details, io.view(io.err));
    if (host === undefined && text !== '') await io.err.write(text);
    const isConfirmed = await (host?.confirm?.(question, text) ?? io.confirm(question, { word }));
    if (!isConfirmed) throw cancelled('usage');
  };
  return { requireInteractive, confirmOrStop };
}

function needsPerson(why: string, run: readonly string[]): CliError {
  return usageError(`Only a person may spend money or move DNS, and ${why}.`, {
    say: `Nothing was sent. A person can run the command on a terminal${run.length > 1 ? ', or allow it to agents' : ''}:`,
    run,
    by: 'person',
  });
}
