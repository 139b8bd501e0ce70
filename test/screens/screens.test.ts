import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type Entry, isGroup } from '../../src/command/define.ts';
import { TREE } from '../../src/commands/tree.ts';
import { parseFault } from '../../src/sandbox/faults.ts';
import { startSandbox } from '../../src/sandbox/server.ts';
import { fakeClock } from '../support/clock.ts';
import { wordsOf } from '../support/command-line.ts';
import { type RunOptions, svc } from '../support/svc.ts';
import { SCREENS, type Shot, WITHOUT } from './screens.ts';

const WIDTHS = [50, 80, 120];

const zone = process.env['TZ'];
beforeAll(() => {
  process.env['TZ'] = 'Africa/Douala';
});
afterAll(() => {
  if (zone === undefined) delete process.env['TZ'];
  else process.env['TZ'] = zone;
});

describe.each(Object.entries(SCREENS))('svc %s', (path, shots) => {
  test('looks as its picture at every width', async () => {
    const pictures: string[] = [];
    for (const shot of shots) pictures.push(`$ svc ${shot.line}${circumstances(shot)}\n${await atEveryWidth(shot)}`);
    await expect(pictures.join('\n')).toMatchFileSnapshot(`pictures/${path.replaceAll(' ', '-')}.txt`);
  }, 120_000);
});

test('every command has a picture', async () => {
  const commands = (entries: readonly Entry[], before = ''): string[] =>
    entries.flatMap((entry) => {
      if (isGroup(entry)) return commands(entry.children, `${before}${entry.name} `);
      return entry.hidden === true ? [] : [`${before}${entry.name}`];
    });
  const { errors: _errors, ...shown } = SCREENS;
  expect([...Object.keys(shown), ...Object.keys(WITHOUT)].sort()).toEqual(commands(TREE).sort());
});

function circumstances({ line: _line, ...rest }: Shot): string {
  const given = Object.entries(rest).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  return given.length === 0 ? '' : `   # ${given.join(', ')}`;
}

/** Pictures that are the same at several widths stand there once. */
async function atEveryWidth(shot: Shot): Promise<string> {
  const widths = new Map<string, number[]>();
  for (const columns of WIDTHS) {
    const picture = await pictureOf(shot, columns);
    widths.set(picture, [...(widths.get(picture) ?? []), columns]);
  }
  const drawn = [...widths].map(([picture, columns]) => {
    const ruler = `-- ${columns.join(', ')} columns `.padEnd(columns[0] ?? 0, '-');
    return `${ruler}\n${picture}`;
  });
  return drawn.join('');
}

/** Runs a command line in a fresh sandbox on a terminal, and returns what is on it. */
async function pictureOf(shot: Shot, columns: number): Promise<string> {
  const place = await mkdtemp('/tmp/svc-screens-');
  onTestFinished(() => rm(place, { recursive: true, force: true }));
  const clock = fakeClock('2026-11-20T14:03:00.000Z');
  const faults = shot.fault === undefined ? [] : [parseFault(shot.fault)];
  const sandbox = await startSandbox({ port: 0, clock, faults });
  try {
    const cwd = join(place, 'blog');
    await mkdir(cwd);
    const terminal = { columns, rows: 40 };
    const env: RunOptions['env'] = {
      HOME: place,
      SHELL: '/bin/bash',
      TERM: shot.typed === undefined ? 'xterm' : 'dumb',
      NO_COLOR: '1',
      PAGER: 'cat',
      SVC_SERVICE: sandbox.listing.services[0]?.id,
      SVC_ORG: sandbox.organization,
      SVC_DNS_SERVER: sandbox.dnsServer,
      ...shot.env,
    };
    const token = shot.stored || shot.signedOut ? null : sandbox.token;
    const options = { url: sandbox.url, token, configDir: join(place, 'config'), cwd, clock, env };
    if (shot.stored) {
      for (const profile of ['home', 'work'])
        await svc(['login', '--with-token', '--profile', profile], { ...options, stdin: sandbox.token });
    }
    for (const line of shot.after ?? []) await svc(wordsOf(line), options);
    clock.advance((shot.later ?? 0) * 1_000);
    clock.onSleep(() => {
      for (const code of shot.decide === undefined ? [] : sandbox.pendingLogins()) sandbox[shot.decide ?? 'deny'](code);
    });
    const { shown, exitCode } = await svc(wordsOf(shot.line), {
      ...options,
      terminal,
      stdin: shot.typed ?? '',
      onStart: shot.until === undefined ? undefined : stopAt(shot.until),
    });
    return `${steady(shown, place)}[exit ${exitCode}]\n`;
  } finally {
    await sandbox.close();
  }
}

/** Presses Ctrl-C once a text is on the screen. */
function stopAt(text: string): RunOptions['onStart'] {
  return (send, shown) => {
    const timer = setInterval(() => {
      if (!shown().includes(text)) return;
      clearInterval(timer);
      send('SIGINT');
    }, 5);
  };
}

/** Replaces what differs from run to run by something as long. */
function steady(text: string, place: string): string {
  return (
    text
      .replaceAll(place, '/home/amina/sites/kola')
      .replaceAll(/127\.0\.0\.1:\d{5}/g, '127.0.0.1:47500')
      .replaceAll(/\b(tok|ses|ord|job|req)_[2-9b-z]{14}\b/g, (_all, prefix) => `${prefix}_${'4'.repeat(14)}`)
      .replaceAll(
        /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g,
        '01234567-89ab-cdef-0123-456789abcdef',
      )
      .replaceAll(/(fake_(?:token|session)_)[0-9a-f]{24}/g, (_all, prefix) => `${prefix}${'0'.repeat(24)}`)
      .replaceAll(/\b[B-Z]{4}-[B-Z]{4}\b/g, 'BCDF-GHJK')
      .replaceAll(/SVC_TOKEN …[0-9a-f]{4}/g, 'SVC_TOKEN …0000')
      .replaceAll(/(Node |node\/)\d+\.\d+\.\d+/g, (_all, before) => `${before}20.20.2`)
      // A person ends an answer with Enter.
      .replaceAll('[y/N] ', '[y/N]\n')
      .replaceAll(/\u001b\[\?2026[hl]/g, '')
  );
}
