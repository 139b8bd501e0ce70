import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/json/values.ts';
import { against } from '../support/against.ts';
import * as harmless from './harmless-answers.ts';
import * as imagined from './imagined-answers.ts';
import * as troubled from './troubled-answers.ts';

// What people and scripts are told of answers that say more than the API document shows.

const { COMMANDS } = imagined;

async function run(command: keyof typeof COMMANDS, answer: JsonObject, flags = '') {
  const { line, request, stdin }: imagined.Command = COMMANDS[command];
  const text = stdin === undefined ? {} : { stdin: JSON.stringify(stdin) };
  return against(line + flags, { [request]: [answer] }, text);
}

test.each([...imagined.HARMLESS, ...harmless.HARMLESS])(
  '%s does no harm',
  async (_what, command, answer) => {
    const done = await run(command, answer);

    expect(done.exitCode, done.shown).toBe(0);
  },
);

test.each([...imagined.FAILED, ...troubled.FAILED])(
  '%s has failed',
  async (_what, command, answer) => {
    const failed = await run(command, answer);

    expect(failed.exitCode, failed.shown).toBe(9);
    expect(failed.stdout).not.toContain('✓');
  },
);

test.each([...imagined.IN_DOUBT, ...troubled.IN_DOUBT])(
  '%s is in doubt',
  async (_what, command, answer) => {
    const person = await run(command, answer);
    const script = await run(command, answer, ' --json');

    expect(person.exitCode, person.shown).toBe(8);
    expect(person.stdout).not.toContain('✓');
    expect(script.error).toMatchObject({ outcome: 'unknown' });
  },
);

test.each([...imagined.REFUSED, ...troubled.REFUSED])(
  '%s that is an error and nothing else is refused',
  async (_what, command, answer) => {
    const refused = await run(command, answer, ' --json');

    expect(refused.exitCode, refused.shown).toBe(3);
    expect(refused.stdout).toBe('');
  },
);

test.each([...imagined.UNTOLD, ...troubled.UNTOLD])(
  '%s passes no check',
  async (_what, command, answer) => {
    const untold = await run(command, answer);

    expect(untold.exitCode, untold.shown).toBe(12);
  },
);

test.each([...imagined.OPEN, ...troubled.OPEN])(
  '%s is no failure, and gets no tick',
  async (_what, command, answer) => {
    const open = await run(command, answer);

    expect(open.exitCode, open.shown).toBe(0);
    expect(open.stdout).not.toContain('✓');
  },
);

test('the tables have sixty harmless and sixty troubled answers', () => {
  const listTroubled = (tables: typeof imagined | typeof troubled) =>
    [tables.FAILED, tables.IN_DOUBT, tables.REFUSED, tables.UNTOLD, tables.OPEN].flat();

  expect(imagined.HARMLESS.length).toBeGreaterThanOrEqual(30);
  expect(harmless.HARMLESS.length).toBeGreaterThanOrEqual(30);
  expect(listTroubled(imagined).length).toBeGreaterThanOrEqual(30);
  expect(listTroubled(troubled).length).toBeGreaterThanOrEqual(30);
});
