import { optionsOf, type ParsedLine } from '../kit/define.ts';
import { type Globals, sameTarget } from '../kit/globals.ts';
import { longName } from '../kit/read-values.ts';

/** Options of one run only. */
const NOT_AGAIN = ['log', 'resume', 'retryUnknown'];

/** Writes the command line that goes on with a run. */
export function resumeCommand({ command, texts, items = [] }: ParsedLine, globals: Globals, log: string): string {
  const { args, each, path } = command;
  const options = optionsOf(command);
  const words = Object.keys(args).flatMap((key) => (key === each ? items : (texts.get(key)?.slice(0, 1) ?? [])));
  const given = [...texts].flatMap(([key, values]) => {
    const option = options[key];
    if (option === undefined || NOT_AGAIN.includes(key) || Object.hasOwn(args, key)) return [];
    return values.flatMap((value) => [longName(key, option), ...(option.value === '' ? [] : [value])]);
  });
  const yes = globals.yes ? ['--yes'] : [];
  const all = ['svc', ...path.split(' '), ...words, ...given, ...yes, '--resume', log];
  return sameTarget(all, globals);
}
