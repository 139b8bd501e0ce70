import { document, type Result, withView } from '../../cli/define/define.ts';
import { code } from '../../terminal/screen.ts';
import { readCodeEntry, readPage, showMarkdown } from './pages.ts';
import type { TABLES, Topic } from './topics.ts';

/** Reads a topic, with its page if it has one. */
export async function readTopic(
  { name, title, data, page, show }: Topic,
  packageFolder: string,
): Promise<Result<never>> {
  const text = page && (await readPage(packageFolder, page));
  return withView(document('help topic', { topic: name, text, ...data }), (screen) => {
    screen.exact();
    if (text === undefined) screen.heading(title);
    show(screen, text ?? '');
  });
}

/** Reads what an error code or an exit code means. */
export async function readCodes(
  topic: string,
  exitCodes: typeof TABLES.exitCodes,
  packageFolder: string,
): Promise<Result<never>> {
  const names = [...new Set(exitCodes.map((row) => row.code))];
  const entries = await Promise.all(names.map((name) => readCodeEntry(packageFolder, name)));
  const text = entries.join('\n\n');
  return withView(document('help topic', { topic, exitCodes, text }), (screen) => {
    screen.exact();
    for (const [index, name] of names.entries()) {
      for (const { exit, meaning } of exitCodes.filter((row) => row.code === name)) {
        screen.fields([
          ['Exit code', `${exit}`],
          ['Error code', name || undefined],
          ['Meaning', meaning],
        ]);
      }
      screen.line();
      const entry = entries[index] ?? '';
      if (entry === '') continue;
      showMarkdown(screen, entry);
      screen.line();
    }
    screen.line(['All of them: ', code('svc help exit-codes')]);
  });
}
