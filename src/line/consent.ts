import { cancelled, usageError } from '../errors.ts';
import { needsYes } from '../kit/ask.ts';
import { AGENTS_SPEND } from '../kit/config-file.ts';
import type { CommandIo, CommandSettings, Context } from '../kit/context.ts';
import { drawScreen } from '../terminal/draw.ts';
import type { Io } from '../terminal/terminal.ts';

/** Makes what asks for consent; nothing but the word `yes` is one where money is spent or DNS is moved. */
export function createConsent(
  io: Io,
  settings: Pick<CommandSettings, 'globals' | 'choice'>,
  again: Context['again'],
): Pick<CommandIo, 'requireInteractive' | 'confirmOrStop'> {
  const { host } = io;
  const requireInteractive = async () => {
    if (host !== undefined) {
      if (host.confirm === undefined) throw needsPerson('this program cannot ask one', [again()]);
      return;
    }
    if (io.agent !== undefined && settings.choice(AGENTS_SPEND)?.value !== 'allow') {
      const allow = `svc config set ${AGENTS_SPEND} allow`;
      throw needsPerson(`${io.agent} says that an agent typed this`, [again(), allow]);
    }
    if (!settings.globals.yes && !io.interactive) throw needsYes({ io, again });
  };
  return {
    requireInteractive,
    async confirmOrStop(question, details, { word = true } = {}) {
      await requireInteractive();
      if (host === undefined && settings.globals.yes) return;
      const text = details === undefined ? '' : await drawScreen(details, io.view(io.err));
      if (host === undefined && text !== '') await io.err.write(text);
      const isConfirmed = await (host?.confirm?.(question, text) ?? io.confirm(question, { word }));
      if (!isConfirmed) throw cancelled('usage');
    },
  };
}

function needsPerson(why: string, run: readonly string[]) {
  return usageError(`Only a person may spend money or move DNS, and ${why}.`, {
    say: `Nothing was sent. A person can run the command on a terminal${run.length > 1 ? ', or allow it to agents' : ''}:`,
    run,
    by: 'person',
  });
}
