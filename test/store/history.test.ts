import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openHistory } from '../../src/store/history.ts';
import { machineOf } from '../../src/store/machine.ts';
import { temporaryFolder } from '../support/svc.ts';
import { CAN_MOUNT, mountTmpfs } from '../support/tmpfs.ts';

const MACHINE = machineOf(process, 'here');
const NOW = Date.parse('2026-03-01T12:00:00Z');
const DAY_MS = 24 * 3_600_000;

async function history(days = 90) {
  const folder = join(await temporaryFolder(), 'past');
  return { folder, past: openHistory(folder, days, MACHINE) };
}

const entriesOf = (past: ReturnType<typeof openHistory>, now = NOW) =>
  [...past.read(now)].map((lines) => lines.map((line) => JSON.parse(line).n));

describe('a history', () => {
  test('has a private file for each day, and yields the latest day first', async () => {
    const { folder, past } = await history();
    past.add([{ n: 1 }, { n: 2 }], NOW);
    past.add([{ n: 3 }], NOW, { onDisk: true });
    past.add([{ n: 4 }], NOW + DAY_MS);
    past.add([], NOW + 2 * DAY_MS);
    expect(entriesOf(past, NOW + DAY_MS)).toEqual([[4], [1, 2, 3]]);
    expect(readdirSync(folder).sort()).toEqual(['2026-03-01.ndjson', '2026-03-02.ndjson']);
    expect(readFileSync(join(folder, '2026-03-01.ndjson'), 'utf8').trim().split('\n')).toHaveLength(3);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(statSync(join(folder, '2026-03-01.ndjson')).mode & 0o777).toBe(0o600);
  });

  test('forgets a day when it is too old, and touches no other file', async () => {
    const { folder, past } = await history(90);
    past.add([{ n: 1 }], NOW);
    writeFileSync(join(folder, 'notes.txt'), 'mine');
    past.add([{ n: 2 }], NOW + 90 * DAY_MS);
    expect(entriesOf(past, NOW + 90 * DAY_MS)).toEqual([[2], [1]]);
    past.add([{ n: 3 }], NOW + 91 * DAY_MS);
    expect(entriesOf(past, NOW + 91 * DAY_MS)).toEqual([[3], [2]]);
    expect(readdirSync(folder).sort()).toEqual(['2026-05-30.ndjson', '2026-05-31.ndjson', 'notes.txt']);
  });

  test('goes on after a line that was cut', async () => {
    const { folder, past } = await history();
    past.add([{ n: 1 }], NOW);
    writeFileSync(join(folder, '2026-03-01.ndjson'), '\n{"n":1}\n{"n":2', { flag: 'w' });
    past.add([{ n: 3 }], NOW);
    expect([...past.read(NOW)].flat()).toEqual(['{"n":1}', '{"n":2', '{"n":3}']);
  });

  test('writes through no link, waits for no pipe, and reads past what is no file', async () => {
    const { folder, past } = await history();
    const victim = join(await temporaryFolder(), 'victim');
    writeFileSync(victim, 'mine');
    past.add([{ n: 1 }], NOW);
    symlinkSync(victim, join(folder, '2026-03-02.ndjson'));
    execFileSync('mkfifo', [join(folder, '2026-03-03.ndjson')]);
    mkdirSync(join(folder, '2026-03-04.ndjson'));
    for (const days of [1, 2, 3]) expect(() => past.add([{ n: 2 }], NOW + days * DAY_MS)).toThrow();
    expect(readFileSync(victim, 'utf8')).toBe('mine');
    expect([...past.read(NOW + 3 * DAY_MS)].flat()).toContain('{"n":1}');
  });

  test.runIf(CAN_MOUNT)('says that a full disk took only a part, and spoils no line before it', () => {
    const disk = mountTmpfs('size=16k');
    try {
      const past = openHistory(join(disk.folder, 'past'), 90, MACHINE);
      past.add([{ n: 1 }], NOW);
      expect(() => past.add([{ n: 2, pad: 'x'.repeat(64 * 1024) }], NOW)).toThrow();
      const [first] = [...past.read(NOW)].flat();
      expect(first).toBe('{"n":1}');
    } finally {
      disk.remove();
    }
  });
});
