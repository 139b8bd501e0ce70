import {
  chmodSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import { CliError } from '../../src/errors.ts';
import {
  changeDocument,
  type DocumentKind,
  type LockedDocument,
  readDocument,
} from '../../src/store/document.ts';
import { createMachine } from '../../src/store/machine.ts';
import { temporaryFolder } from '../support/svc.ts';

const HERE = createMachine(process, 'here');

const NAMES: DocumentKind<readonly string[]> = {
  format: 1,
  empty: [],
  parse: ({ names }) =>
    Array.isArray(names) && names.every((one) => typeof one === 'string') ? names : undefined,
  damaged: (path) => new CliError('usage', `damaged: ${path}`),
};
const CACHE: DocumentKind<readonly string[]> = { format: 1, empty: [], parse: NAMES.parse };

/** A document, with this text once it was made. */
async function place(text?: string) {
  const path = join(await temporaryFolder(), 'svc', 'names.json');
  const change = <T>(
    edit: (document: LockedDocument<readonly string[]>) => T,
    kind = NAMES,
    movesAside = false,
  ) => changeDocument({ path, machine: HERE, clock: systemClock }, kind, edit, { movesAside });
  const add = (name: string, kind = NAMES, movesAside = false) =>
    change(
      (document) => {
        document.write({ names: [...document.content, name] });
        return document.asidePath;
      },
      kind,
      movesAside,
    );
  if (text !== undefined) {
    await add('first');
    writeFileSync(path, text, { mode: 0o600 });
  }
  const read = (kind = NAMES) => readDocument(path, kind, HERE).content;
  return { path, change, add, read, files: () => readdirSync(dirname(path)) };
}

test('a document is empty while there is no file, and made with its folder by the first change', async () => {
  const { path, add, read, files } = await place();
  expect(read()).toEqual([]);
  await add('ama');
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ version: 1, names: ['ama'] });
  expect([statSync(path).mode & 0o777, statSync(dirname(path)).mode & 0o777]).toEqual([
    0o600, 0o700,
  ]);
  expect(files()).toEqual(['names.json']);
});

test.each([true, false])(
  'a change keeps unknown fields, and removes those left undefined; by conf: %s',
  async (isConf) => {
    const { path, change } = await place('\uFEFF{"names":["ama"],"later":{"a.b":1},"__proto__":2}');
    await change(({ write }) => write({ names: undefined }), { ...NAMES, isConf });
    const text = '{\n  "later": {\n    "a.b": 1\n  },\n  "__proto__": 2,\n  "version": 1\n}\n';
    expect(readFileSync(path, 'utf8')).toBe(text);
  },
);

test.each(['', '{"names":[', '{"version":"1","names":[]}', '{"version":1,"names":[1]}'])(
  'a document damaged as %j is an error and stays, is set aside on request, and counts as empty in a cache',
  async (text) => {
    const { path, add, read, files } = await place(text);
    expect(() => read()).toThrow(`damaged: ${path}`);
    await expect(add('ama')).rejects.toThrow(`damaged: ${path}`);
    expect([readFileSync(path, 'utf8'), read(CACHE)]).toEqual([text, []]);
    const aside = String(await add('ama', NAMES, true));
    expect([readFileSync(aside, 'utf8'), read()]).toEqual([text, ['ama']]);
    writeFileSync(path, text);
    rmSync(aside);
    await add('kofi', CACHE);
    expect([read(), files()]).toEqual([['kofi'], ['names.json']]);
  },
);

test('a document is not written if its lock was lost, and changed again as it is then; what was set aside is told', async () => {
  const { path, change, read, files } = await place('damaged');
  const seen: unknown[] = [];
  const asidePath = await change(
    (document) => {
      seen.push(document.content);
      if (seen.length === 1) {
        // Another process took over while this one was stopped, and has written already.
        rmSync(`${path}.lock`, { recursive: true });
        writeFileSync(path, '{"version":1,"names":["theirs"]}', { mode: 0o600 });
      }
      document.write({ names: [...document.content, 'mine'] });
      return document.asidePath;
    },
    NAMES,
    true,
  );
  expect([seen, read()]).toEqual([
    [[], ['theirs']],
    ['theirs', 'mine'],
  ]);
  expect(files()).toEqual(['names.json', basename(String(asidePath))]);
});

test.each([0o640, 0o604, 0o610])(
  'a private file of mode %o is closed to others, and the reader is told',
  async (mode) => {
    const { path } = await place('{"names":[]}');
    chmodSync(path, mode);

    expect(readDocument(path, NAMES, HERE).openness).toBe('now_closed');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readDocument(path, NAMES, HERE).openness).toBe('closed');
  },
);

test('a file of more than 8 MiB is none of svc', async () => {
  const { path, read } = await place('');
  truncateSync(path, 8 * 1024 * 1024);
  expect(() => read()).toThrow('damaged');
  truncateSync(path, 8 * 1024 * 1024 + 1);
  expect(() => read()).toThrow(`Cannot read ${path}: it is too large to be one of svc.`);
});
