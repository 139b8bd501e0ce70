import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import { CliError } from '../../src/errors.ts';
import { changeDocument, type DocumentKind, type LockedDocument, readDocument } from '../../src/store/document.ts';
import { machineOf } from '../../src/store/machine.ts';
import { temporaryFolder } from '../support/svc.ts';

const HERE = machineOf(process, 'here');

/** A list of names; a damaged file is an error. */
const NAMES: DocumentKind<readonly string[]> = {
  format: 1,
  empty: [],
  parse: ({ names }) => (Array.isArray(names) && names.every((one) => typeof one === 'string') ? names : undefined),
  damaged: (path) => new CliError('usage', `damaged: ${path}`),
};
type Change = (document: LockedDocument<readonly string[]>) => string | undefined;
const CACHE: DocumentKind<readonly string[]> = { format: 1, empty: [], parse: NAMES.parse };

async function place(text?: string) {
  const path = join(await temporaryFolder(), 'svc', 'names.json');
  const at = { path, machine: HERE, clock: systemClock };
  if (text !== undefined) {
    await add(at, 'first');
    writeFileSync(path, text, { mode: 0o600 });
  }
  return at;
}

const add = (at: Awaited<ReturnType<typeof place>>, name: string, kind = NAMES, options = {}) => {
  const change: Change = (document) => {
    document.write({ names: [...document.content, name] });
    return document.setAside;
  };
  return changeDocument(at, kind, change, options);
};

const filesBeside = (path: string) => readdirSync(join(path, '..'));

describe('a document', () => {
  test('is empty while there is no file, and made with its folder by the first change', async () => {
    const at = await place();
    expect(readDocument(at.path, NAMES, HERE)).toEqual({ content: [], wasOpen: false });
    await add(at, 'ama');
    expect(readDocument(at.path, NAMES, HERE).content).toEqual(['ama']);
    expect(JSON.parse(readFileSync(at.path, 'utf8'))).toEqual({ version: 1, names: ['ama'] });
    expect([statSync(at.path).mode & 0o777, statSync(join(at.path, '..')).mode & 0o777]).toEqual([0o600, 0o700]);
    expect(filesBeside(at.path)).toEqual(['names.json']);
  });

  test('loses no change of twenty at once', async () => {
    const at = await place();
    const names = Array.from({ length: 20 }, (_, number) => `n${number}`);
    await Promise.all(names.map((name) => add(at, name)));
    expect([...readDocument(at.path, NAMES, HERE).content].sort()).toEqual([...names].sort());
  });

  test('keeps fields that it does not know, and removes those that a change leaves undefined', async () => {
    const at = await place('{"version":1,"names":["ama"],"later":{"a.b":1},"__proto__":2}');
    await changeDocument(at, NAMES, ({ write }) => write({ names: undefined }));
    const text = '{\n  "version": 1,\n  "later": {\n    "a.b": 1\n  },\n  "__proto__": 2\n}\n';
    expect(readFileSync(at.path, 'utf8')).toBe(text);
  });

  test('of a newer svc is an error, and stays as it is', async () => {
    const text = '{"version":2,"names":["ama"]}';
    const at = await place(text);
    const error = { exitCode: 2, message: `${at.path} was written by a newer svc. This one leaves it as it is.` };
    expect(() => readDocument(at.path, NAMES, HERE)).toThrow(expect.objectContaining(error));
    await expect(add(at, 'kofi', NAMES, { setsAside: true })).rejects.toMatchObject(error);
    await expect(add(at, 'kofi', CACHE)).rejects.toMatchObject(error);
    expect(readFileSync(at.path, 'utf8')).toBe(text);
  });

  test.each(['', '{"names":[', '[]', 'null', '{"version":"1","names":[]}', '{"version":1,"names":[1]}'])(
    'damaged as %j is an error and stays, is set aside on request, and counts as empty in a cache',
    async (text) => {
      const at = await place(text);
      expect(() => readDocument(at.path, NAMES, HERE)).toThrow(`damaged: ${at.path}`);
      await expect(add(at, 'ama')).rejects.toThrow(`damaged: ${at.path}`);
      expect(readFileSync(at.path, 'utf8')).toBe(text);
      expect(readDocument(at.path, CACHE, HERE).content).toEqual([]);
      const aside = String(await add(at, 'ama', NAMES, { setsAside: true }));
      expect(readFileSync(aside, 'utf8')).toBe(text);
      expect(readDocument(at.path, NAMES, HERE).content).toEqual(['ama']);
      writeFileSync(at.path, text);
      rmSync(aside);
      await add(at, 'kofi', CACHE);
      expect([readDocument(at.path, NAMES, HERE).content, filesBeside(at.path)]).toEqual([['kofi'], ['names.json']]);
    },
  );

  test('that a person wrote without a version is read, and that conf writes is the same file', async () => {
    const at = await place('\uFEFF{"names":["ama"],"later":{"a.b":1}}');
    await add(at, 'kofi', { ...NAMES, isConf: true });
    const written = { version: 1, names: ['ama', 'kofi'], later: { 'a.b': 1 } };
    expect(JSON.parse(readFileSync(at.path, 'utf8'))).toEqual(written);
    expect(filesBeside(at.path)).toEqual(['names.json']);
  });

  test('is not written if its lock was lost, and changed again as it is then; what was set aside is told', async () => {
    const at = await place('damaged');
    const seen: unknown[] = [];
    const change: Change = (document) => {
      seen.push(document.content);
      if (seen.length === 1) {
        // Another process took over while this one was stopped, and has written already.
        rmSync(`${at.path}.lock`, { recursive: true });
        writeFileSync(at.path, '{"version":1,"names":["theirs"]}', { mode: 0o600 });
      }
      document.write({ names: [...document.content, 'mine'] });
      return document.setAside;
    };
    const setAside = await changeDocument(at, NAMES, change, { setsAside: true });
    expect(seen).toEqual([[], ['theirs']]);
    expect(readDocument(at.path, NAMES, HERE).content).toEqual(['theirs', 'mine']);
    expect(filesBeside(at.path)).toEqual(['names.json', basename(String(setAside))]);
  });
});
