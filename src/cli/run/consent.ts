import { cancelledError, usageError } from '../../errors.ts';
import { repeatLine } from '../../shell-line.ts';
import { drawScreen } from '../../terminal/draw.ts';
import type { Io } from '../../terminal/io.ts';
import { needsYes } from '../define/ask.ts';
import type { CommandIo } from '../define/context.ts';
import { AGENTS_SPEND } from '../settings/config-file.ts';
import type { Globals } from '../settings/globals.ts';
import type { Settings } from '../settings/settings.ts';

interface ConsentParts {
  readonly globals: Pick<Globals, 'yes'>;
  readonly settings: Pick<Settings, 'choice'>;
  readonly line: readonly string[];
}

/** Asks before money is spent or DNS is moved. */
export function createConsent(
  io: Io,
  { globals, settings, line }: ConsentParts,
): Pick<CommandIo, 'requireInteractive' | 'confirmOrStop'> {
  const { host } = io;
  const requireInteractive: CommandIo['requireInteractive'] = async (service) => {
    const typed = repeatLine(line, ...(service === undefined ? [] : ['--service', service]));
    if (host) {
      if (!host.confirm) {
        throw needsPersonError('this program cannot ask one', [typed]);
      }
      return;
    }
    if (io.agent !== undefined && settings.choice(AGENTS_SPEND)?.value !== 'allow') {
      const allow = `svc config set ${AGENTS_SPEND} allow`;
      throw needsPersonError(`${io.agent} says that an agent typed this`, [typed, allow]);
    }
    if (!globals.yes && !io.interactive) throw needsYes({ io, line });
  };
  return {
    requireInteractive,
    async confirmOrStop(question, details, { word = true } = {}) {
      await requireInteractive();
      if (!host && globals.yes) return;
      const text = details ? await drawScreen(details, io.view(io.err)) : '';
      if (!host && text !== '') await io.err.write(text);
      const isConfirmed = await (host?.confirm?.(question, text) ?? io.confirm(question, { word }));
      if (!isConfirmed) throw cancelledError('usage');
    },
  };
}

function needsPersonError(why: string, run: readonly string[]) {
  const orAllow = run.length > 1 ? ', or allow it to agents' : '';
  return usageError(`Only a person may spend money or move DNS, and ${why}.`, {
    say: `Nothing was sent. A person can run the command on a terminal${orAllow}:`,
    run,
    by: 'person',
  });
}
