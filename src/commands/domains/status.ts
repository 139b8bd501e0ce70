import { unwrap } from '../../api/own-level.ts';
import type { Needs } from '../../cli/define/context.ts';
import { defineCommand } from '../../cli/define/define.ts';
import { document } from '../../cli/define/document.ts';
import { type Domain, parseApex } from '../../cli/values/domain.ts';
import { fileOption, list, required } from '../../cli/values/parameters.ts';
import { OPERATIONS } from '../../contract/operations.ts';
import { checkRecords } from '../../dns/records.ts';
import { normalizeScanned } from '../../dns/scanned.ts';
import { usageError } from '../../errors.ts';
import {
  asArray,
  asObject,
  asText,
  isObject,
  type JsonObject,
  parseJson,
} from '../../json/values.ts';
import { WAIT_SECONDS_IN_BATCH } from '../shared/wait.ts';
import { isNameOf } from './dns.ts';
import { openMove, type Staging, statusCommand } from './move.ts';
import { countByType, problemLines } from './records.ts';
import { parseRecordsFile, readRecordsFile } from './scan.ts';
import { describeOldNames, isBroken, showMoveStatus } from './show-status.ts';
import { stagingIn } from './staging.ts';
import { checkMove, waitFlags, waitForMove } from './wait.ts';

/** The last three count record sets. */
const COLUMNS = [
  'nameserver',
  'address',
  'state',
  'setsAsStaged',
  'different',
  'unanswered',
] as const;

export default defineCommand({
  path: 'domains status',
  summary: 'Check the progress of a move in the DNS',
  description: 'Check in the DNS whether the nameservers are switched and serve the records',
  effect: 'reads',
  args: { domain: required('apex domain, such as example.com (no www)') },
  options: {
    nameserver: list('host', 'a new nameserver, host or host:port; may repeat'),
    records: fileOption('file|-', 'compare with a saved answer, a plan or a zone file'),
    ...waitFlags('wait until the move is complete or broken'),
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
    ['svc domains status kola-studio.example', 'check a move from this machine'],
    [
      'svc domains status kola-studio.example --nameserver ns1.sandbox-dns.example',
      'check any other move',
    ],
    ['svc domains status --domains moves.csv', 'the state of many moves in one table'],
  ],
  exitCodes: [
    [0, 'the move is complete'],
    [8, 'no DNS server answered'],
    [9, 'something is broken, or a nameserver that answers leaves out some of the records'],
    [10, 'the move is not complete yet, or no answer tells'],
    [12, 'public DNS has no such names, or the list is empty'],
  ],

  async run(context, { domain: given, nameserver, records, wait, waitTimeout, csv }) {
    const domain = await parseApex(given, (apex) => statusCommand(apex, nameserver, records));
    const staging =
      records === undefined ? undefined : await readStagedFile(context, domain, records);
    const move = await openMove(context, domain, nameserver, staging, records);
    const usualSeconds = context.batch === undefined ? undefined : WAIT_SECONDS_IN_BATCH;
    const { status, failure } = await (wait || waitTimeout !== undefined
      ? waitForMove(context, move, waitTimeout ?? usualSeconds)
      : context.io.during(`Asking the DNS about ${domain.ascii}`, () => checkMove(context, move)));
    const old = describeOldNames(status.found);
    // A person reads it below the table.
    const isUnseen = context.io.json || csv !== undefined || context.batch !== undefined;
    if (old !== undefined && isUnseen) await context.io.warn(old, 'old_nameservers_named');
    return { ...document('domains status', status.found, failure), value: status };
  },

  human: showMoveStatus,

  batch: {
    of: 'domain',
    checks: 'always',
    row: {
      head: ['State', 'At the registry', 'Records right', 'DNSSEC'],
      of({ found: { verdict, delegation, nameservers, records, dnssec } }) {
        const unfinished = isBroken(verdict) ? 'bad' : 'warn';
        const matching = nameservers
          .filter(({ state }) => state === 'serves')
          .map((report) => report.matching);
        const sets = records?.sets ?? 0;
        return [
          {
            text: verdict.replaceAll('_', ' '),
            tone: verdict === 'complete' ? 'good' : unfinished,
          },
          (delegation.registry ?? delegation.resolver)?.nameservers.join(', ') ?? '',
          matching.length > 0 && sets > 0 ? `${Math.min(...matching)} of ${sets}` : '',
          dnssec.state.replaceAll('_', ' '),
        ];
      },
    },
  },

  csv: {
    what: 'the new nameservers',
    columns: COLUMNS,
    table({ found: { nameservers } }) {
      const rows = nameservers.map(
        ({ nameserver, asked, state, matching, different, unanswered }) => {
          return [nameserver, asked, state, matching, different.length, unanswered];
        },
      );
      return { head: COLUMNS, rows };
    },
  },
});

/**
 * What was staged, from a plan, a zone file, or what `svc domains add --json` printed for one
 * domain or several.
 */
async function readStagedFile(
  context: Needs<'io'>,
  domain: Domain,
  path: string,
): Promise<Staging> {
  const { ascii } = domain;
  const read = await readRecordsFile(context, path);
  const { name } = read;
  const answer = answerIn(read.text, domain, name);
  const { staged, nameservers } = stagingOf(answer);
  const { records, lines, faults } =
    answer === undefined
      ? parseRecordsFile(context, read, ascii)
      : { records: asArray(staged).map((entry) => normalizeScanned(entry, ascii)), faults: [] };
  const checked = checkRecords(records, ascii);
  const left = countByType(checked.problems, faults.length);
  if (left !== '')
    await context.io.warn(
      `${left} of ${name} cannot have been staged, and are not compared:`,
      'not_compared',
      problemLines(checked.problems, { lines, faults, isWhole: context.io.json }),
    );
  const file = answer === undefined ? path : undefined;
  return { nameservers, records: checked.records, service: '', stagedAt: '', file };
}

const stagingOf = (answer: unknown) => stagingIn(unwrap(answer, OPERATIONS.stageDomain).value);

/** The answer to a staging if a text has one: alone, or in the line of the domain. */
function answerIn(text: string, domain: Domain, name: string): JsonObject | undefined {
  const whole = parseJson(text);
  const written = text.split('\n').filter((line) => line.trim() !== '');
  const lines = (whole === undefined ? written.map(parseJson) : [whole]).map(asObject);
  const isList = lines.length > 0 && lines.every((line) => 'item' in line && 'attempts' in line);
  if (!isList)
    return isObject(whole) && Array.isArray(stagingOf(whole).staged) && !('apex' in whole)
      ? whole
      : undefined;
  const isOwn = ({ item, answer }: JsonObject) =>
    isNameOf(domain, asText(isObject(item) ? item['domain'] : item) ?? '') &&
    Array.isArray(stagingOf(answer).staged);
  const own = lines.findLast(isOwn);
  if (own !== undefined) return asObject(own['answer']);
  throw usageError(
    `${name} has no staged records of ${domain.ascii}.`,
    'Save what svc domains add --json prints.',
  );
}
