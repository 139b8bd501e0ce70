import { getDatabase } from '../../api/operations.ts';
import { defineCommand } from '../../command/define.ts';
import { rest } from '../../command/parameters.ts';
import { silent } from '../../command/result.ts';
import { runChild } from '../../command/spawn.ts';
import { SIGN_IN_VARIABLES } from '../../environment.ts';
import { usageError } from '../../errors.ts';
import { connectionOf } from './connection.ts';
import { DATABASE, seenIn } from './database-argument.ts';
import { clientFor } from './database-client.ts';

export default defineCommand({
  path: 'db connect',
  summary: 'Open a database in psql, mysql or redis-cli',
  effect: 'changes',
  usage: '<database> [options] [-- <arguments...>]',
  args: {
    database: DATABASE,
    arguments: rest('arguments for the client, after --', 0),
  },
  options: {},
  examples: [
    ['svc db connect db_pg_5t9w2kqe', 'a session in psql, with the password kept off the command line'],
    ["svc db connect db_pg_5t9w2kqe -- -c 'select version()'", 'one statement'],
  ],
  exitCodes: [[5, 'the credentials are for owners and admins only']],

  async run({ io, api, settings, system }, { database: id, arguments: words }) {
    if (settings.globals.json) {
      throw usageError('This hands over to a database client, which knows no --json.', `svc db inspect ${id} --json`);
    }
    const { value } = await getDatabase(await api.client(), id);
    const connection = connectionOf(value, id);
    io.redactor.add(connection.password);
    const { command, env } = clientFor(connection, id, system);
    await io.note(`Connecting to ${id} on ${connection.host}.`);
    const sharesTerminal = io.stdinIsTty;
    const session = () =>
      runChild([...command, ...words], {
        // The client talks to another server, which has no business with the sign-in.
        env: { ...system.env, ...Object.fromEntries(SIGN_IN_VARIABLES.map((name) => [name, undefined])), ...env },
        cwd: system.cwd,
        signal: system.signal,
        sharesTerminal,
      });
    const exitCode = await (sharesTerminal ? io.lendTerminal(session) : session());
    return { ...silent(), exitCode, seen: seenIn(value) };
  },
});
