import { getDatabase } from '../../api/call.ts';
import { createOtherIdWarning, findOtherId } from '../../api/read-answer.ts';
import { defineCommand, readAnswer } from '../../cli/define/define.ts';
import { flag } from '../../cli/values/parameters.ts';
import { CliError, usageError } from '../../errors.ts';
import { asObject, asText } from '../../json/values.ts';
import { commandLine } from '../../shell-line.ts';
import { describeNamed } from '../shared/names.ts';
import {
  DATABASE_ARGUMENT,
  maskDatabase,
  readConnection,
  showDatabase,
  toKnownDatabase,
} from './connection.ts';
import { createDotenv } from './dotenv.ts';

export default defineCommand({
  summary: 'Show a database, its plan, and how to connect to it',
  effect: 'reads',
  args: { database: DATABASE_ARGUMENT },
  options: {
    reveal: flag('show the password'),
    env: flag('print the connection as lines for a .env file, with the password in the clear'),
  },
  tool: {
    title: 'A database',
    description:
      'Engine, version, size, plan and service of a database. Passwords are masked; a person can see them. About 150 tokens.',
    arguments: { database: 'id of the database' },
  },
  examples: [
    ['svc db inspect db_pg_5t9w2kqe', 'a database, with its password masked'],
    ['svc db inspect db_pg_5t9w2kqe --reveal', 'the same with the password in the clear'],
    [
      'svc db inspect db_pg_5t9w2kqe --env >> .env',
      'the connection, for a program that reads a .env file',
    ],
  ],
  exitCodes: [
    [5, 'with --env: the credentials are for owners and admins only'],
    [9, 'with --env: a value has no form in a .env file and was left out'],
  ],

  async run(context, { database: id, reveal, env }) {
    if (env && context.globals.json) {
      throw usageError('--env and --json are two forms of the same answer.', 'Use one of the two.');
    }
    const answer = await getDatabase(await context.api.client(), id);
    const dotenv = env ? createDotenv(readConnection(answer.value, id)) : undefined;
    const skippedNames = dotenv?.skippedNames ?? [];
    const otherId = findOtherId(asObject(answer.value.database), 'database', id);
    return {
      ...readAnswer(answer, (value) => ({
        answer: reveal ? value : maskDatabase(value),
        id,
        isMasked: !reveal,
        dotenv,
      })),
      failure:
        skippedNames.length === 0
          ? undefined
          : // A program would start without its password.
            new CliError(
              'failed',
              `A .env file cannot contain ${skippedNames.join(', ')}: left out.`,
              { hint: commandLine(['db', 'inspect', id], { reveal: true }, context.globals) },
            ),
      warnings: otherId === undefined ? [] : [createOtherIdWarning(id, otherId)],
      namesToCache: toKnownDatabase(answer.value),
    };
  },

  human(screen, { answer, id, isMasked, dotenv }) {
    if (!isMasked || dotenv !== undefined) screen.exact();
    if (dotenv === undefined) showDatabase(screen, answer, id, isMasked);
    else screen.verbatim(dotenv.lines.join('\n'));
  },

  batch: {
    of: 'database',
    single: ['env'],
    row: {
      head: ['Name', 'Engine', 'Version', 'Status', 'Plan', 'Service'],
      cells({ answer: { database, plan, service } }) {
        const { name, engine, version, status } = asObject(database);
        const texts = [name, engine, version, status].map(asText);
        return [...texts, describeNamed(plan), describeNamed(service)];
      },
    },
  },
});
