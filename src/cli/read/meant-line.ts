import { CliError } from '../../errors.ts';
import { repeatLine } from '../../shell-line.ts';
import type { Entry } from '../define/define.ts';
import { type ReadLine, readLine } from './read-line.ts';

/** How many mistakes of one line are corrected. */
const MAX_CORRECTIONS = 6;

/**
 * Puts the line that was meant into an error. A line that would be refused again is not proposed.
 * @param canAsk whether svc asks for what the line leaves out
 */
export async function proposeMeantLine(
  error: CliError,
  argv: readonly string[],
  tree: readonly Entry[],
  canAsk: boolean,
): Promise<CliError> {
  let words = argv;
  let mistake = error;
  for (let count = 0; count < MAX_CORRECTIONS; count += 1) {
    const corrected = correctWords(words, mistake);
    if (!corrected) return error;

    words = corrected;
    try {
      const read = await readLine(words, tree);
      const help = isWhole(read, canAsk) ? [] : ['--help'];
      return error.with({ hint: repeatLine(words, ...help) });
    } catch (thrown) {
      if (!(thrown instanceof CliError)) throw thrown;
      mistake = thrown;
    }
  }
  return error;
}

function correctWords(
  argv: readonly string[],
  { details: { meant } }: CliError,
): readonly string[] | undefined {
  if (!meant || 'length' in meant) return meant;
  const { text, value } = meant;
  const isWrong = (word: string) =>
    word === text || (word.startsWith('--') && word.endsWith(`=${text}`));
  if (argv.filter(isWrong).length !== 1) return undefined;
  return argv.map((word) =>
    isWrong(word) ? word.slice(0, word.length - text.length) + value : word,
  );
}

/** Whether a line names a command and its arguments, or svc asks for them. */
function isWhole(read: ReadLine, canAsk: boolean): boolean {
  if ('help' in read) return false;
  const { command, missing } = read.line;
  return (
    canAsk ||
    !Object.entries(command.args).some(([key, { required }]) => required && missing.has(key))
  );
}
