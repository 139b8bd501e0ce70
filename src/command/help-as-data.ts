import { Command } from 'commander';
import { asksFor } from './asks-for.ts';
import { commandWords } from './command-line.ts';
import { type Entry, isGroup } from './declaration.ts';
import { addGlobalOptions } from './globals.ts';

/** Whether a command line asks for help. */
export function asksForHelp(argv: readonly string[]): boolean {
  return asksFor(argv, '--help') || asksFor(argv, '-h');
}

/** `svc domains add --help --json` asks for the same as `svc help domains add --json`: the second, from the first. */
export function helpAsData(argv: readonly string[], tree: readonly Entry[]): readonly string[] {
  const program = new Command();
  addGlobalOptions(program);
  const path: string[] = [];
  let entries = tree;
  for (const word of commandWords(program, argv)) {
    if (entries.length === 0) break;
    const entry = entries.find(({ name }) => name === word);
    // What is wrong with it, the command line says as it stands.
    if (entry === undefined) return argv;
    path.push(word);
    entries = isGroup(entry) ? entry.children : [];
  }
  const form = argv.flatMap((word, index) => {
    if (word === '--jq') return argv.slice(index, index + 2);
    return word === '--json' || word.startsWith('--jq=') ? [word] : [];
  });
  return ['help', ...path, ...form];
}
