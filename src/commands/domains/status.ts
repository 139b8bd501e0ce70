import type { Comparison } from '../../dns/compare.ts';
import { type DnsServer, showServer } from '../../dns/server.ts';
import { quoted, usageError } from '../../errors.ts';
import { asArray, asObject, isObject, type JsonObject, parseJson } from '../../json/values.ts';
import type { Context } from '../../kit/context.ts';
import { defineCommand } from '../../kit/define.ts';
import { document } from '../../kit/document.ts';
import { fileOption, list, required } from '../../kit/parameters.ts';
import { type Domain, parseApex } from '../../kit/values/domain.ts';
import { utf8Of } from '../../store/files.ts';
import type { CsvTable } from '../../terminal/csv.ts';
import { checkRecords } from '../../zone/records.ts';
import { MAX_RECORDS_BYTES, readRecords } from '../../zone/records-file.ts';
import { readScanned } from '../../zone/scanned.ts';
import { isNameOf } from './dns.ts';
import { openMove, type Staging, statusCommand } from './move.ts';
import { countByType } from './records.ts';
import { MOVE_HEAD, type MoveStatus, moveRow, SENTENCES, showMoveStatus } from './show-status.ts';
import { stagingIn } from './staging.ts';
import { checkOnce, waitFlags, waitForMove } from './wait.ts';

/** The last three count record sets. */
const COLUMNS = ['nameserver', 'address', 'state', 'setsAsStaged', 'different', 'unanswered'] as const;

export default defineCommand({
  path: 'domains status',
  summary: 'Check the progress of a move in the DNS',
  description: 'Check in the DNS whether the nameservers are switched and serve the records',
  effect: 'reads',
  each: 'domain',
  args: { domain: required('apex domain, such as example.com (no www)') },
  options: {
    nameserver: list(
      'host',
      'a new nameserver, host or host:port; may be repeated (default: those of the last staging on this machine)',
    ),
    records: fileOption(
      'file|-',
      'compare with these records: the answer of svc domains add --json (of several, too), a plan or a zone file (default: the last staging on this machine)',
    ),
    ...waitFlags('wait until the move is complete or something is broken'),
  },
  tool: {
    title: 'How far a domain move is',
    says: 'Asks the DNS how far the move of a domain is: verdict, and what each nameserver answers. To see what could be moved call domains_import. About 400 tokens.',
    takes: {
      domain: 'apex domain, such as example.com',
      nameserver: 'new nameservers; default: those of the last move from this machine',
      wait: 'wait until the move is complete or broken',
      waitTimeout: { type: 'seconds', says: 'wait at most so long' },
    },
  },
  examples: [
    ['svc domains status kola-studio.example', 'check a move that was staged on this machine'],
    ['svc domains status kola-studio.example --nameserver ns1.sandbox-dns.example', 'check any other move'],
    ['svc domains status --domains moves.csv', 'the state of many moves in one table'],
  ],
  exitCodes: [
    [0, 'the move is complete'],
    [8, 'no DNS server answered'],
    [9, 'something is broken, or a nameserver that answers leaves out some of the records'],
    [10, 'the move is not complete yet, or no answer tells'],
  ],

  async run(context, { domain: given, nameserver, records, wait, waitTimeout }) {
    const domain = await parseApex(given, (apex) => statusCommand(apex, { nameservers: nameserver, records }));
    const staging = records === undefined ? undefined : await readStagedFile(context, domain, records);
    const move = await openMove(context, domain, { named: nameserver, staging, records });
    const waits = wait || waitTimeout !== undefined;
    const { status, failure } = await (waits ? waitForMove(context, move, waitTimeout) : checkOnce(context, move));
    return { ...document('domains status', toStatusDocument(status), failure), value: status };
  },

  human: showMoveStatus,

  row: { head: MOVE_HEAD, of: moveRow },

  csv: { what: 'the new nameservers', columns: COLUMNS, table: toTable },
});

function toTable({ check }: MoveStatus): CsvTable {
  const rows = check.reports.map(({ nameserver, server, state, matching, different, unanswered }) => {
    const address = server === undefined ? undefined : addressOf(server);
    return [showServer(nameserver), address, state, matching, different.length, unanswered.length];
  });
  return { head: COLUMNS, rows };
}

function toStatusDocument({ move, check, checkedAt }: MoveStatus) {
  const { domain, resolver, expected, expectedFrom, staging, sets } = move;
  const { parent, resolver: viewed, viaResolver } = check;
  return {
    domain: domain.ascii,
    verdict: check.verdict,
    message: SENTENCES[check.verdict],
    checkedAt,
    expected: { nameservers: expected.map(showServer), from: expectedFrom },
    delegation: {
      registry: parent ? { nameservers: parent.nameservers, sees: parent.sight, from: parent.from } : null,
      resolver: viewed
        ? { nameservers: viewed.nameservers, sees: viewed.sight, from: resolver.servers.map(addressOf).join(', ') }
        : null,
    },
    records:
      staging === undefined
        ? null
        : { staged: staging.records.length, sets: sets.length, stagedAt: staging.stagedAt || null },
    nameservers: check.reports.map((report) => ({
      nameserver: showServer(report.nameserver),
      asked: report.server === undefined ? null : addressOf(report.server),
      state: report.state,
      ...comparisonIn(report),
    })),
    viaResolver: viaResolver === undefined ? null : comparisonIn(viaResolver),
    dnssec: { state: check.dnssec.state, ds: check.dnssec.ds ?? null },
  };
}

function comparisonIn({ matching, different, unanswered }: Comparison) {
  return { matching, different, unanswered: unanswered.length, unansweredSets: unanswered };
}

function addressOf({ address, port }: DnsServer): string {
  return showServer({ host: address, port });
}

/**
 * Reads what was staged from a file: a plan, a zone file, the answer of `svc domains add --json`, or the lines that it
 * prints for several, of which that of the domain counts. Warns of records that cannot have been staged.
 * @throws CliError `usage` for lines without one of the domain
 */
async function readStagedFile(context: Context, domain: Domain, path: string): Promise<Staging> {
  const { ascii } = domain;
  const name = path === '-' ? 'Standard input' : quoted(path);
  const text = utf8Of(await context.io.readFile(path, '--records', MAX_RECORDS_BYTES)).toString('utf8');
  const answer = answerIn(text, domain, name);
  const { staged, nameservers } = stagingIn(answer);
  const unread: string[] = [];
  const records =
    answer === undefined
      ? readRecords(text, ascii, { name, onFault: ({ message }) => unread.push(message) }).records
      : asArray(staged).map((entry) => readScanned(entry, ascii));
  const checked = checkRecords(records, ascii);
  const left = countByType(checked.problems, unread.length);
  if (left !== '') await context.io.warn(`${left} of ${name} cannot have been staged: not compared.`, 'not_compared');
  const file = answer === undefined ? path : undefined;
  return { nameservers, records: checked.records, service: '', stagedAt: '', ...(file !== undefined && { file }) };
}

/** Returns the answer to a staging if a text has one: alone, or in the line of the domain. */
function answerIn(text: string, domain: Domain, name: string): JsonObject | undefined {
  const whole = parseJson(text);
  const lines = (
    whole === undefined
      ? text
          .split('\n')
          .filter((line) => line.trim() !== '')
          .map(parseJson)
      : [whole]
  ).map(asObject);
  const isList =
    lines.length > 0 && lines.every((line) => Object.hasOwn(line, 'item') && Object.hasOwn(line, 'attempts'));
  if (!isList)
    return isObject(whole) && Array.isArray(stagingIn(whole).staged) && !('apex' in whole) ? whole : undefined;
  const own = lines.findLast((line) => isAbout(line, domain) && Array.isArray(stagingIn(line['answer']).staged));
  if (own !== undefined) return asObject(own['answer']);
  throw usageError(`${name} has no staged records of ${domain.ascii}.`, 'Save what svc domains add --json prints.');
}

function isAbout({ item }: JsonObject, domain: Domain): boolean {
  const named = isObject(item) ? item['domain'] : item;
  return typeof named === 'string' && isNameOf(domain, named);
}
