import { type Command, optionsOf } from '../kit/define.ts';
import { MORE_WORDS } from '../kit/each.ts';
import { type Globals, sameTarget } from '../kit/globals.ts';
import { longName, type Texts } from '../kit/read-values.ts';

/** Options that are for one run alone. */
const NOT_AGAIN = ['log', 'resume', 'retryUnknown'];

/** Writes the command line that goes on with a run. */
export function resumeCommand(command: Command, texts: Texts, globals: Globals, log: string): string {
  const { args, path } = command;
  const options = optionsOf(command);
  const words = Object.keys(args).flatMap((key) => texts.get(key)?.slice(0, 1) ?? []);
  const given = [...texts].flatMap(([key, values]) => {
    const option = options[key];
    if (option === undefined || NOT_AGAIN.includes(key) || Object.hasOwn(args, key)) return [];
    return values.flatMap((value) => [longName(key, option), ...(option.value === '' ? [] : [value])]);
  });
  const yes = globals.yes ? ['--yes'] : [];
  const all = [
    'svc',
    ...path.split(' '),
    ...words,
    ...(texts.get(MORE_WORDS) ?? []),
    ...given,
    ...yes,
    '--resume',
    log,
  ];
  return sameTarget(all, globals);
}
