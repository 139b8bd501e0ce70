import type { Needs } from '../../cli/define/context.ts';
import { defineCommand } from '../../cli/define/define.ts';
import { document } from '../../cli/define/document.ts';
import { answered, type Result } from '../../cli/define/result.ts';
import { parseApex } from '../../cli/values/domain.ts';
import { choice, fileOption, flag, required } from '../../cli/values/parameters.ts';
import { DOMAIN_SCAN } from '../../contract/fields/dns.ts';
import { joinName } from '../../dns/record-value.ts';
import { shownRecords, toText } from '../../dns/summary.ts';
import { usageError } from '../../errors.ts';
import { asText, findField, otherFields } from '../../json/values.ts';
import { commandLine } from '../../shell-line.ts';
import { plural } from '../../terminal/numbers.ts';
import { dim, formatJsonValue, type NextStep } from '../../terminal/screen.ts';
import { claimOutput } from '../shared/output-file.ts';
import { bothNames, type DsLookup, isNameOf, lookUpDs } from './dns.ts';
import {
  auditOf,
  canSkipAll,
  countByType,
  dnssecText,
  lossesIn,
  problemLines,
  showRecords,
} from './records.ts';
import {
  describeScanError,
  faultsOf,
  requireRecords,
  type Scan,
  scanZone,
  toPlanText,
  toZoneText,
} from './scan.ts';

const COLUMNS = ['name', 'type', 'ttl', 'priority', 'value', 'other'] as const;

/** Most rows that a terminal shows; a pipe gets all. */
const ROWS_ON_A_TERMINAL = 40;

interface Imported {
  readonly scan: Scan;
  readonly written: string | undefined;
  /** A plan or a zone file to print instead of the overview. */
  readonly text: string | undefined;
  readonly maxRows: number | undefined;
  readonly ds: DsLookup | undefined;
  /** Then `svc domains add` needs no `--service`. */
  readonly hasService: boolean;
}

export default defineCommand({
  path: 'domains import',
  summary: "Scan a domain's DNS and show what can be moved",
  description: "Scan a domain's current DNS and show what can be moved; changes nothing",
  effect: 'reads',
  args: { domain: required('apex domain, such as example.com (no www)') },
  options: {
    output: fileOption('file', 'write them here, to edit and stage later; - prints them'),
    format: choice('format', 'json (a plan) or zone (default: as the file ends)', ['json', 'zone']),
    full: flag('show all records, with long values in full'),
    audit: flag('say what a move would lose, and whether DNSSEC is on'),
  },
  tool: {
    title: 'Records of a domain',
    says: 'Reads the DNS records of a domain, and says which cannot be moved to the platform. Changes nothing. For a move under way call domains_status. 500 tokens or more.',
    takes: { domain: 'apex domain, such as example.com' },
  },
  examples: [
    ['svc domains import kola-studio.example', "show a domain's records"],
    [
      'svc domains import kola-studio.example --output plan.json',
      'a plan to edit, for svc domains add --records',
    ],
    ['svc domains import kola-studio.example --format zone', 'the same as a zone file'],
    [
      'svc domains import --domains domains.txt --audit',
      'what many moves would lose, in one table',
    ],
  ],
  exitCodes: [
    [9, 'with --audit: something would be lost, or DNSSEC is on'],
    [12, 'with --audit: DNSSEC is not known, or the scan says more than svc knows'],
  ],

  async run(context, options): Promise<Result<Imported>> {
    const { io, globals, settings } = context;
    const format = formatOf(options, globals.json);
    const { full } = options;
    const output = isStandardOutput(options.output) ? undefined : options.output;
    const importCommand = (domain: string) =>
      commandLine(['domains', 'import', domain], {
        output: options.output,
        format: options.format,
        full,
      });
    const domain = await parseApex(options.domain, importCommand);
    const file = output === undefined ? undefined : await claimOutput(context, output);
    const { answer, scan } = await scanZone(context, domain, importCommand);
    if (format !== undefined) requireRecords(scan);
    const text =
      format && (format === 'zone' ? toZoneText(scan) : toPlanText(scan, context.time.clock.now()));
    if (text !== undefined) await file?.write(text);
    // What a person reads beside the table, everybody else gets on stderr.
    if (
      !options.audit &&
      (io.json || (text !== undefined && file === undefined) || options.csv !== undefined)
    )
      await warn(context, scan);
    const ds = options.audit ? await lookUpDs(context, domain.ascii) : undefined;
    const audited = ds && auditOf(scan, ds);
    const result = audited
      ? document('domains import audit', audited.audit)
      : answered(answer, undefined);
    const value = {
      scan,
      ds,
      written: file?.path,
      text: file === undefined ? text : undefined,
      maxRows: io.out.isTty && !full ? ROWS_ON_A_TERMINAL : undefined,
      hasService: settings.service() !== undefined,
    };
    return { ...result, value, failure: audited?.failure };
  },

  human(screen, imported) {
    const { scan, written, text, maxRows, ds } = imported;
    if (text !== undefined) {
      screen.exact();
      screen.verbatim(text);
      return;
    }
    const { domain, found, records, checked, currentNameservers } = scan;
    const zone = asText(found.apex);
    const count = Array.isArray(found.records) ? `: ${plural(found.records.length, 'record')}` : '';
    // A terminal of 80 columns probably cuts such a value.
    const isLong = (record: unknown) => toText(findField(record, 'value')).length > 45;
    const isCut = maxRows !== undefined && (records.length > maxRows || records.some(isLong));
    const whole = isCut && written === undefined ? [dim(' (--full shows all of them)')] : [];
    screen.heading([`DNS of ${bothNames(domain)}${count}`, ...whole]);
    screen.fields([
      ['Zone', zone !== undefined && isNameOf(domain, zone) ? undefined : zone],
      ['Nameservers', currentNameservers.join(', ') || formatJsonValue(found.currentNameservers)],
      ['Records', count === '' ? formatJsonValue(found.records) : undefined],
      ['DNSSEC', ds && dnssecText(ds)],
    ]);
    if (written === undefined && ds === undefined && records.length > 0)
      showRecords(screen, records, domain.ascii, maxRows);
    if (scan.mismatch !== undefined)
      screen.warning(`${scan.mismatch} None of its records can be staged.`);
    const error = describeScanError(scan);
    if (error !== undefined) screen.warning(`${error} None of its records can be staged.`);
    for (const warning of scan.warnings) screen.warning(warning);
    if (checked.problems.length > 0) {
      screen.warning(`${cannotBeStaged(scan)}:`);
      screen.list(problemLines(checked.problems));
    }
    screen.unknownFields(otherFields(found, [...Object.keys(DOMAIN_SCAN), 'error']));
    if (written !== undefined)
      screen.success(`Wrote ${plural(records.length, 'record')} to ${written}.`);
    screen.next(nextSteps(imported));
  },

  batch: {
    of: 'domain',
    single: ['output', 'format'],
    checks: ['audit'],
    row: {
      head: [
        { name: 'Records', align: 'right' },
        { name: 'Cannot be staged', whole: true },
        'Nameservers',
        'DNSSEC',
        'Warnings',
      ],
      of: ({ scan, ds }) => [
        String(scan.records.length),
        {
          text: scan.mismatch === undefined ? lossesIn(scan) : 'all: of another domain',
          tone: 'warn',
        },
        scan.currentNameservers.join(', '),
        ds === undefined ? '' : dnssecText(ds),
        scan.warnings.length === 0 ? '' : plural(scan.warnings.length, 'warning'),
      ],
    },
  },

  csv: {
    what: 'the records',
    columns: COLUMNS,
    table({ scan: { records, domain } }) {
      const rows = shownRecords(records, domain.ascii).map(
        ({ cells: [name = '', ...cells], other }) => [
          joinName(name === '@' ? '' : name, domain.ascii),
          ...cells,
          Object.keys(other).length === 0 ? '' : other,
        ],
      );
      return { head: COLUMNS, rows };
    },
  },
});

/**
 * The form of the file or the output; undefined for the overview. Throws a usage error for two
 * outputs.
 */
function formatOf({ output, format, audit, csv }: Typed, json: boolean) {
  if (format === undefined && output === undefined) return undefined;
  const other = format === undefined ? '--output' : '--format';
  if (json && (output === undefined || isStandardOutput(output))) {
    throw usageError(`--json and ${other} both print to standard output. Add --output <file>.`);
  }
  if (csv !== undefined) throw usageError(`Use ${csv} or ${other}, not both.`);
  if (audit) throw usageError(`--audit shows no records. Leave out ${other}.`);
  return format ?? (/\.(?:zone|db|zonefile|bind)$/i.test(output ?? '') ? 'zone' : 'json');
}

/** As everywhere, `-` stands for the standard streams. */
function isStandardOutput(output: string | undefined): boolean {
  return output === '-';
}

interface Typed {
  readonly output: string | undefined;
  readonly format: 'json' | 'zone' | undefined;
  readonly audit: boolean;
  readonly csv: string | undefined;
}

async function warn({ io }: Needs<'io'>, scan: Scan): Promise<void> {
  const { problems } = scan.checked;
  if (scan.mismatch !== undefined) await io.warn(scan.mismatch, 'other_domain');
  const error = describeScanError(scan);
  if (error !== undefined) await io.warn(error, 'scan_error');
  const { sentence } = scan.remarks;
  if (sentence !== undefined) await io.warn(sentence, 'scan_says_more');
  for (const warning of scan.warnings) await io.warn(warning, 'scan_warning');
  if (problems.length > 0)
    await io.warn(`${cannotBeStaged(scan)}:`, 'cannot_be_staged', problemLines(problems));
}

function cannotBeStaged({ checked }: Scan): string {
  return `${countByType(checked.problems)} cannot be staged`;
}

function nextSteps({ scan, written, hasService }: Imported): NextStep[] {
  const { domain, records, checked } = scan;
  if (records.length === 0 || faultsOf(scan).length > 0) return [];
  const add = `svc domains add ${domain.ascii}${hasService ? '' : ' --service <id>'} --import`;
  if (written !== undefined)
    return [[`${add} --records ${written}`, 'once you have checked the file']];
  const left = countByType(checked.problems);
  const edit = [
    `svc domains import ${domain.ascii} --output plan.json`,
    'to edit them first',
  ] as const;
  if (left === '') return [edit, [add, 'to stage them as they are']];
  if (!canSkipAll(checked, [], domain.ascii)) return [edit];
  return [edit, [`${add} --skip-invalid`, `to stage the others, without ${left}`]];
}
