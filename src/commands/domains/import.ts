import { defineCommand, document, type Result, toResult } from '../../cli/define/define.ts';
import { parseApex } from '../../cli/values/names.ts';
import { choice, fileOption, flag, required } from '../../cli/values/parameters.ts';
import { usageError } from '../../errors.ts';
import { commandLine } from '../../shell-line.ts';
import { plural } from '../../terminal/format.ts';
import { claimOutput } from '../shared/output-file.ts';
import { auditScan, countLosses, describeDnssec } from './audit.ts';
import { lookUpDs } from './dns.ts';
import { requireRecords, scanZone } from './gather.ts';
import { toPlanText, toZoneText } from './save-zone.ts';
import { type ImportedScan, showScan, toRows, warnOfScan } from './show-scan.ts';

const COLUMNS = ['name', 'type', 'ttl', 'priority', 'value', 'other'] as const;

/** The most rows that a terminal shows; a pipe gets all. */
const ROWS_ON_A_TERMINAL = 40;

export default defineCommand({
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
    description:
      'Reads the DNS records of a domain, and says which cannot be moved to the platform. Changes nothing. For a move under way call domains_status. 500 tokens or more.',
    arguments: { domain: 'apex domain, such as example.com' },
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

  async run(context, options): Promise<Result<ImportedScan>> {
    const { io, globals, settings, time } = context;
    const { full, audit, output, csv } = options;
    const format = chooseFormat(options, globals.json);
    const importCommand = (domain: string) =>
      commandLine(['domains', 'import', domain], { output, format: options.format, full });
    const domain = await parseApex(options.domain, importCommand);

    const path = output === '-' ? undefined : output;
    const file = path === undefined ? undefined : await claimOutput(context, path);
    const { answer, scan } = await scanZone(context, domain, importCommand);
    if (format !== undefined) requireRecords(scan);
    const toFileText = format === 'zone' ? toZoneText : toPlanText;
    const fileText = format && toFileText(scan, time.clock.now());
    if (fileText !== undefined) await file?.write(fileText);

    const text = file === undefined ? fileText : undefined;
    const isData = io.json || text !== undefined || csv !== undefined;
    if (isData && !audit) await warnOfScan(context, scan);
    const ds = audit ? await lookUpDs(context, domain.ascii) : undefined;
    const audited = ds && auditScan(scan, ds);
    const value = {
      scan,
      ds,
      written: file?.path,
      text,
      maxRows: io.out.isTty && !full ? ROWS_ON_A_TERMINAL : undefined,
      hasService: settings.service() !== undefined,
    };
    if (audited === undefined) return { ...toResult(answer, undefined), value };
    return { ...document('domains import audit', audited.audit, audited.failure), value };
  },

  human: showScan,

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
      cells: ({ scan, ds }) => [
        String(scan.records.length),
        {
          text: scan.mismatch ? 'all: of another domain' : countLosses(scan),
          tone: 'warn',
        },
        scan.currentNameservers.join(', '),
        ds === undefined ? '' : describeDnssec(ds),
        scan.warnings.length === 0 ? '' : plural(scan.warnings.length, 'warning'),
      ],
    },
  },

  csv: {
    what: 'the records',
    columns: COLUMNS,
    table: ({ scan }) => ({ head: COLUMNS, rows: toRows(scan) }),
  },
});

interface TypedOutput {
  readonly output: string | undefined;
  readonly format: 'json' | 'zone' | undefined;
  readonly audit: boolean;
  readonly csv: string | undefined;
}

/**
 * Chooses the form of the file or the output; undefined for the overview. Throws a usage error for
 * two outputs.
 */
function chooseFormat({ output, format, audit, csv }: TypedOutput, json: boolean) {
  if (format === undefined && output === undefined) return undefined;
  const name = format === undefined ? '--output' : '--format';
  if (json && (output === undefined || output === '-')) {
    throw usageError(`--json and ${name} both print to standard output. Add --output <file>.`);
  }
  if (csv !== undefined) throw usageError(`Use ${csv} or ${name}, not both.`);
  if (audit) throw usageError(`--audit shows no records. Leave out ${name}.`);
  return format ?? (/\.(?:zone|db|zonefile|bind)$/i.test(output ?? '') ? 'zone' : 'json');
}
