import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Entry, isGroup } from '../../src/cli/define/define.ts';
import { TREE } from '../../src/commands/tree.ts';
import { SCREENS, type Shot, WITHOUT } from './screens.ts';
import { onStage } from './stage.ts';

const WIDTHS = [50, 80, 120];

/** Dates are shown in one zone, wherever the tests run. */
const zone = process.env['TZ'];
beforeAll(() => {
  process.env['TZ'] = 'Africa/Douala';
});
afterAll(() => {
  if (zone === undefined) delete process.env['TZ'];
  else process.env['TZ'] = zone;
});

/** A command without pictures of its own shows its first example. */
const EXAMPLES = Object.fromEntries(
  await Promise.all(
    commandsOf(TREE).map(async ([path, { load }]) => {
      const [[line = ''] = []] = (await load()).examples;
      return [path, [{ line: line.replace(/^svc /, '') }]] as const;
    }),
  ),
);
for (const path of Object.keys(WITHOUT)) delete EXAMPLES[path];

describe.each(Object.entries({ ...EXAMPLES, ...SCREENS }))('svc %s', (path, shots) => {
  test('looks as its picture at every width', async () => {
    const pictures: string[] = [];
    for (const shot of shots)
      pictures.push(`$ svc ${shot.line}${circumstances(shot)}\n${await atEveryWidth(shot)}`);
    await expect(
      pictures.join('\n'),
      'if this is what you want: npx vitest run test/screens -u, and look at what changed',
    ).toMatchFileSnapshot(`pictures/${path.replaceAll(' ', '-')}.txt`);
  });
});

function commandsOf(
  entries: readonly Entry[],
  before = '',
): [path: string, command: Exclude<Entry, { readonly children: unknown }>][] {
  return entries.flatMap((entry) => {
    const path = `${before}${entry.name}`;
    if (isGroup(entry)) return commandsOf(entry.children, `${path} `);
    return entry.hidden === true ? [] : [[path, entry]];
  });
}

function circumstances({ line: _line, ...rest }: Shot): string {
  const given = Object.entries(rest).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  return given.length === 0 ? '' : `   # ${given.join(', ')}`;
}

/** Pictures that are the same at several widths stand there once. */
async function atEveryWidth(shot: Shot): Promise<string> {
  const widths = new Map<string, number[]>();
  for (const columns of WIDTHS) {
    const picture = await getPicturePath(shot, columns);
    widths.set(picture, [...(widths.get(picture) ?? []), columns]);
  }
  const drawn = [...widths].map(([picture, columns]) => {
    const ruler = `-- ${columns.join(', ')} columns `.padEnd(columns[0] ?? 0, '-');
    return `${ruler}\n${picture}`;
  });
  return drawn.join('');
}

/** Runs a command line in a fresh sandbox on a terminal, and returns what is on it. */
function getPicturePath(shot: Shot, columns: number): Promise<string> {
  return onStage(shot, async (run, place) => {
    const { shown, exitCode } = await run(shot, columns);
    return `${steady(shown, place)}[exit ${exitCode}]\n`;
  });
}

/** Replaces what differs from run to run by something as long. */
function steady(text: string, place: string): string {
  return (
    text
      .replaceAll(place, '/home/amina/sites/kola')
      .replaceAll(/127\.0\.0\.1:\d{5}/g, '127.0.0.1:47500')
      .replaceAll(
        /\b(tok|ses|ord|job|req)_[2-9b-z]{14}\b/g,
        (_all, prefix) => `${prefix}_${'4'.repeat(14)}`,
      )
      .replaceAll(
        /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g,
        '01234567-89ab-cdef-0123-456789abcdef',
      )
      .replaceAll(
        /(fake_(?:token|session)_)[0-9a-f]{24}/g,
        (_all, prefix) => `${prefix}${'0'.repeat(24)}`,
      )
      .replaceAll(/\b[B-Z]{4}-[B-Z]{4}\b/g, 'BCDF-GHJK')
      .replaceAll(/(SVC_TOKEN\s+…)[0-9a-f]{4}/g, (_text, before) => `${before}0000`)
      .replaceAll(/(Node |node\/)\d+\.\d+\.\d+/g, (_all, before) => `${before}20.20.2`)
      // Said of work that takes its time, as on a busy machine.
      .replaceAll(
        /^(?:Asking|Checking|Looking up|Placing|Reading|Restarting|Staging|Starting)\b.*\n/gm,
        '',
      )
      // The title of the window, which work sets that lasts longer than ten seconds.
      .replaceAll(/\u001b\[2[23];0t|\u001b\]0;[^\u0007]*\u0007/g, '')
      .replaceAll('\u0007', '[bell]\n')
      // A person ends an answer with Enter.
      .replaceAll('[y/N] ', '[y/N]\n')
      .replaceAll(/\u001b\[\?2026[hl]/g, '')
  );
}
