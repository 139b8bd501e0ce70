import type { Context } from '../../command/context.ts';
import { defineCommand } from '../../command/define.ts';
import { choice, option, required } from '../../command/parameters.ts';
import { answered, type Result } from '../../command/result.ts';
import { parseApex } from '../../command/values/domain.ts';
import { usageError } from '../../errors.ts';
import { asText, otherFields } from '../../json/values.ts';
import type { DnsRecord } from '../../spec/types.ts';
import { plural } from '../../terminal/numbers.ts';
import { type NextStep, shown } from '../../terminal/screen.ts';
import { type CheckedRecords, describeProblem } from '../../zone/records.ts';
import { unquotedText } from '../../zone/tokens.ts';
import { writeZone } from '../../zone/write.ts';
import { claimOutput } from '../shared/output-file.ts';
import { mismatchOf, needRecords, type Scan, scanZone, toPlanText, warningsOf } from './gather.ts';
import { bothNames, isNameOf, nameserversOf } from './resolver.ts';
import { countRecords, problemLines, ROWS_ON_A_TERMINAL, recordTable, showRecords } from './show-records.ts';

interface Imported {
  readonly scan: Scan;
  /** The file that was written. */
  readonly written: string | undefined;
  /** A plan or a zone file to print instead of the overview. */
  readonly text: string | undefined;
  readonly maxRows: number | undefined;
  /** Whether `svc domains add` needs no `--service`. */
  readonly hasService: boolean;
}

export default defineCommand({
  path: 'domains import',
  summary: "Scan a domain's DNS and show what can be moved",
  description: "Scan a domain's current DNS and show what can be moved; changes nothing",
  effect: 'reads',
  args: { domain: required('the domain itself, without www or another name in front') },
  options: {
    output: option('file', 'write what was found to this file, to edit and stage it later', undefined, {
      offer: 'files',
    }),
    format: choice('format', 'a plan (json) or a zone file (zone); without --output it is printed', ['json', 'zone']),
  },
  examples: [
    ['svc domains import kola-studio.example', 'what the DNS of a domain holds'],
    ['svc domains import kola-studio.example --output plan.json', 'a plan to edit, for svc domains add --records'],
    ['svc domains import kola-studio.example --format zone', 'the same as a zone file'],
  ],

  async run(context, options): Promise<Result<Imported>> {
    const { io, settings, system } = context;
    const format = options.format ?? (options.output === undefined ? undefined : 'json');
    if (settings.globals.json && format !== undefined && options.output === undefined) {
      throw usageError(
        '--json prints the answer and --format a text made of it; stdout takes one.',
        'Write the file with --output <file>.',
      );
    }
    if (options.csv && format !== undefined) {
      const other = options.format === undefined ? '--output' : '--format';
      throw usageError(`--csv and ${other} do not go together.`, 'Use one of the two.');
    }
    const domain = await parseApex(options.domain, 'The domain');
    const file = options.output === undefined ? undefined : await claimOutput(context, options.output);
    const { answer, scan } = await scanZone(context, domain, format === undefined ? io.stream : undefined);
    const text = format === undefined ? undefined : toText(scan, format, system.clock.now());
    if (text !== undefined) await file?.write(text);
    if ((text !== undefined && file === undefined) || options.csv) await warn(context, scan);
    return answered(answer, {
      scan,
      written: file?.path,
      text: file === undefined ? text : undefined,
      maxRows: io.out.isTty ? ROWS_ON_A_TERMINAL : undefined,
      hasService: settings.service() !== undefined,
    });
  },

  human(screen, imported) {
    const { scan, written, text, maxRows } = imported;
    if (text !== undefined) {
      screen.exact();
      screen.verbatim(text);
      return;
    }
    const { domain, found, records, checked } = scan;
    const nameservers = nameserversOf(found.currentNameservers);
    const zone = asText(found.apex);
    screen.heading(`DNS of ${bothNames(domain)}`);
    screen.fields([
      ['Zone', zone !== undefined && isNameOf(domain, zone) ? undefined : zone],
      ['Nameservers', nameservers.length === 0 ? shown(found.currentNameservers) : nameservers.join(', ')],
      ['Records', Array.isArray(found.records) ? String(records.length) : shown(found.records)],
    ]);
    if (written === undefined && records.length > 0) showRecords(screen, records, domain.ascii, maxRows);
    const mismatch = mismatchOf(scan);
    if (mismatch !== undefined) screen.warning(`${mismatch} None of its records can be staged.`);
    for (const warning of [...warningsOf(found.warnings), ...checked.warnings]) screen.warning(warning);
    if (checked.problems.length > 0) {
      screen.warning(cannotBeStaged(scan));
      screen.list(problemLines(checked.problems));
    }
    screen.rest(otherFields(found, ['apex', 'currentNameservers', 'records', 'warnings']));
    if (written !== undefined) screen.success(`Wrote ${plural(records.length, 'record')} to ${written}.`);
    screen.next(nextSteps(imported));
  },

  csv: { what: 'the records', table: ({ scan }) => recordTable(scan.records, scan.domain.ascii) },
});

function toText(scan: Scan, format: 'json' | 'zone', now: number): string {
  needRecords(scan);
  return format === 'zone' ? toZoneText(scan.checked, scan.domain.ascii) : toPlanText(scan, now);
}

/** Puts the warnings on stderr, because stdout has the table, the plan or the zone file alone. */
async function warn({ io }: Context, scan: Scan): Promise<void> {
  const { problems, warnings } = scan.checked;
  for (const warning of [...warningsOf(scan.found.warnings), ...warnings]) await io.warn(warning);
  if (problems.length === 0) return;
  await io.warn(cannotBeStaged(scan));
  for (const line of problemLines(problems)) await io.note(`  ${line}`);
}

function cannotBeStaged({ checked }: Scan): string {
  return `${plural(countRecords(checked.problems), 'record')} cannot be staged:`;
}

function nextSteps({ scan, written, hasService }: Imported): NextStep[] {
  const { domain, records, checked } = scan;
  if (records.length === 0 || mismatchOf(scan) !== undefined) return [];
  const add = `svc domains add ${domain.ascii}${hasService ? '' : ' --service <id>'} --import`;
  if (written !== undefined) return [[`${add} --records ${written}`, 'after a look at the file']];
  const skip = checked.problems.length > 0 ? ' --skip-invalid' : '';
  return [
    [`svc domains import ${domain.ascii} --output plan.json`, 'to edit the records first'],
    [`${add}${skip}`, skip === '' ? 'to stage them as they are' : 'to stage the others as they are'],
  ];
}

/** Returns a zone file, with comments at its end for the records that it cannot represent. */
function toZoneText({ records, problems }: CheckedRecords, apex: string): string {
  const comments = problems.map((problem) => {
    const record = JSON.stringify(problem.record) ?? '';
    return `; left out, ${oneLine(describeProblem(problem))}: ${oneLine(record)}\n`;
  });
  return [writeZone(records.map(withPlainText), apex).text, ...comments].join('');
}

/** Removes the quotes that a scan may have around a text; quoted again, they would become a part of it. */
function withPlainText(record: DnsRecord): DnsRecord {
  return record.type === 'TXT' ? { ...record, value: unquotedText(record.value) } : record;
}

/** Keeps a text on the line of its comment. */
function oneLine(text: string): string {
  return text.replaceAll(/[\s\p{Cc}]+/gu, ' ');
}
