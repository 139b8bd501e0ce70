import { getBatchOptions } from '../../cli/define/command.ts';
import { document, type Result, withView } from '../../cli/define/define.ts';
import { describeOptions, type OptionDescription } from '../../cli/help/describe.ts';
import { PROGRAM_OPTIONS } from '../../cli/help/help-text.ts';
import { tableOptions } from '../../cli/values/parameters.ts';
import { ASSUMPTIONS } from '../../contract/assumptions.ts';
import type { DocumentOf } from '../../contract/fields/documents.ts';
import { EXIT_CODES, SIGNAL_EXITS } from '../../errors.ts';
import { code, type Screen, strong } from '../../terminal/screen.ts';
import { readCodeEntry, readPage, showMarkdown } from './pages.ts';

/** A text of `svc help` that is not about a command. */
interface Topic {
  readonly name: string;
  readonly title: string;
  readonly show: (screen: Screen, text: string) => void;
  readonly page?: string;
  readonly data: Omit<DocumentOf<'help topic'>, 'topic' | 'text'>;
}

const ENVIRONMENT = Object.entries({
  SVC_TOKEN:
    'API token. Wins over a stored one; goes to the address of the flag, the environment or the configuration',
  SVC_TOKEN_FILE:
    'a file (or pipe) with the token, such as a Docker secret; not together with SVC_TOKEN',
  SVC_SESSION_TOKEN: 'a dashboard session, for everything but buy; SVC_TOKEN wins',
  SVC_API_URL: 'address of the platform',
  'SVC_ORG, SVC_SERVICE, SVC_PROFILE': 'defaults for --org, --service and --profile',
  SVC_DASHBOARD: 'address of the dashboard, for "svc open"',
  SVC_DNS_SERVER: 'host[:port] of the resolver that "svc domains status" asks',
  SVC_CONFIG_DIR: 'folder of credentials.json and config.json',
  SVC_ASSUME:
    'other names for what the API reference does not specify: name=value,... (svc help assumptions)',
  SVC_ALLOW_HTTP: '1 lets a token travel over plain http to another machine',
  SVC_NO_BROWSER: '1: never open a browser',
  SVC_NO_INPUT: '1: never ask a question',
  SVC_AGENT:
    '1 or 0: whether an agent typed the command; default: by variables of agents, such as CLAUDECODE',
  SVC_NO_RETRY: '1: send every request once',
  SVC_DEBUG: '1: show requests and stack traces, secrets removed',
  CI: 'if set: no questions, no spinner, no browser',
  'NO_COLOR, FORCE_COLOR':
    'no colour, or colour in pipes too (also CLICOLOR=0, CLICOLOR_FORCE=1); NO_COLOR wins',
  ACCESSIBLE: '1: plain lines, no spinner, no drawings',
  BROWSER: 'the program that opens pages on Linux, over SSH too; "none" opens none',
  'HTTPS_PROXY, HTTP_PROXY, NO_PROXY':
    'proxies; by host, .suffix, address, range, * and port; loopback is never proxied',
  NODE_EXTRA_CA_CERTS: 'a file of further certificate authorities',
  NODE_USE_SYSTEM_CA:
    '1: also trust those of the system (Node 22.19, 24.6 or newer; the executable always does)',
});

const ENVIRONMENT_NOTES = [
  'A flag wins over the environment, then .svc.json, the profile, "svc config", and the default.',
  'A profile of another address than the one given is an error, and nothing is sent (exit 2).',
  'SVC_TOKEN beside a named profile with another token, or stored for another address, is one too.',
];

const JSON_NOTES = [
  '--json prints exactly what the API answered: the same keys and numbers, unknown fields included.',
  "Documents of svc's own making, such as those of config, doctor and help, carry schemaVersion.",
  'After a failure stdout is empty, and the last line of stderr is a JSON object with error, code and exitCode.',
  'An answer that reports a failure (exit 9), unfinished work (10) or no data (12) is still on stdout.',
  "--jq '<filter>' filters the same value with jq, and prints strings without quotes.",
];

const CI_NOTES = [
  'Set SVC_API_URL and SVC_TOKEN (or SVC_TOKEN_FILE). Only buy and domains add need a configuration folder (SVC_CONFIG_DIR).',
  'buy writes each order to orders.json there, so that a re-run resumes an order whose answer was lost.',
  'The same order within a day is exit 2 (already_placed), and so is another one while one is in doubt.',
  'In a loop, or if jobs do not keep that folder: buy --idempotency-key <key>, which a re-run uses again (pipeline id, row).',
  'If the platform honours no idempotency keys: buy --no-retry, which sends an order once.',
  'domains add saves the scanned records there as domains/<domain>.<date>.zone.',
  'svc asks nothing if CI is set. Commands that cost money or move DNS need --yes.',
  'Try a pipeline without an account: svc sandbox exec -- <command>.',
];

const MANY_NOTES = [
  'Give several ids, or a file with one per line (or a JSON object; - is standard input).',
  'With --json or --csv a line is printed for each as it ends; the exit code is 11 if some failed.',
  '--log keeps a log of changes, and goes on with it: nothing is done twice.',
  'Without --wait an action is queued, not done: svc wp status --jobs <log> --wait sees its end.',
  'A check over an empty list is exit code 12.',
  '--csv, --columns and --no-header print a table and nothing else; Tab completes the names of its columns.',
];

const FAULTS = [
  [
    '<operation>',
    'a command (restart, buy, wp-run), an operation (createOrder), getJob, or * for all',
  ],
  ['503', 'a status from 400 to 599; the request has no effect'],
  ['503-after', 'the same, but the request has its effect'],
  ['drop, drop-after', 'the connection breaks before or after the effect'],
  ['delay=3s', 'the answer comes later: ms, s or m, at most 10 minutes'],
  ['garbage', 'has its effect; the answer is not JSON'],
  ['cut', 'has its effect; the answer ends half way'],
  ['status=failed', 'has its effect; the answer has this status'],
  ['success=false', 'has its effect; the answer says so'],
  ['payment=failed', 'buy: the order is there, and its payment failed'],
  ['jobId=job_other', 'getJob: the answer is about another job'],
  ['failedRecords=MX', 'domains-add: such a record is listed as failed, beside the staged ones'],
  ['missing=AAAA', 'domains-import: the scan could not read this type'],
  ['lost-field', 'domains-import: a record has a field that cannot be staged'],
  ['failed-record=MX', 'domains-add: a staged record of this type (or of any) failed'],
  ['missing-record=MX', 'domains-add: the answer lacks such a record'],
  ['no-nameservers', 'domains-add: the answer has no nameservers'],
  ['*2', 'for two requests (default: all)'],
  ['retry-after=1, error=<text>', 'options of a status, after a comma'],
  ['skip=1', 'an option: the first request passes'],
] as const;

/** Values of `svc sandbox --fault`; a test reads each. */
export const FAULT_EXAMPLES = [
  'restart:503*2,retry-after=1',
  'buy:drop-after*1',
  'wp-run:delay=3s,skip=1',
  'buy:status=payment_failed',
  'getJob:status=failed,skip=2',
];

/** The tables that `svc help --json` has too. */
export const TABLES = {
  environment: ENVIRONMENT.map(([name, meaning]) => ({ name, meaning })),
  /** The error code of success is empty. A code of several errors has several rows. */
  exitCodes: [
    { exit: 0, code: '', meaning: 'done, or accepted and continuing on its own' },
    ...Object.entries(EXIT_CODES).map(([code, { exit, meaning }]) => ({ exit, code, meaning })),
    ...Object.entries(SIGNAL_EXITS)
      .filter(([, exit]) => exit !== EXIT_CODES.interrupted.exit)
      .map(([signal, exit]) => ({ exit, code: 'interrupted', meaning: signal })),
  ],
  assumptions: ASSUMPTIONS,
  faults: FAULTS.map(([part, meaning]) => ({ part, meaning })),
};

/** The topics in the order in which `svc help` lists them. */
export const TOPICS: readonly Topic[] = [
  {
    name: 'options',
    title: 'Global options, before or after any command',
    data: { globalOptions: PROGRAM_OPTIONS },
    show: (screen) => screen.terms(toRows(PROGRAM_OPTIONS)),
  },
  {
    name: 'environment',
    title: 'Environment variables',
    data: { environment: TABLES.environment },
    show(screen) {
      screen.terms(ENVIRONMENT);
      screen.line();
      for (const line of ENVIRONMENT_NOTES) screen.line(line);
    },
  },
  {
    name: 'exit-codes',
    title: 'Exit codes',
    data: { exitCodes: TABLES.exitCodes },
    show: (screen) =>
      screen.terms(
        TABLES.exitCodes.map(({ exit, code, meaning }) => [`${exit}`.padEnd(5) + code, meaning]),
      ),
  },
  {
    ...notes('many', 'Several services, domains or jobs at once, and tables', MANY_NOTES),
    show(screen) {
      screen.list(MANY_NOTES);
      screen.heading('Options:');
      const options = {
        ...getBatchOptions('service', false),
        ...tableOptions('the table', undefined),
      };
      screen.terms(toRows(describeOptions(options)));
    },
  },
  notes('json', 'JSON for scripts', JSON_NOTES),
  {
    name: 'assumptions',
    title: 'What svc assumes about the API',
    data: { assumptions: TABLES.assumptions },
    show(screen) {
      screen.list(
        ASSUMPTIONS.map(({ name, value, note }) => [
          strong(name),
          value === '' ? '' : ` = ${value}`,
          `: ${note}`,
        ]),
      );
      screen.line();
      screen.line([
        'Change one: ',
        code('svc config set assume.<name> <value>'),
        ' or SVC_ASSUME=name=value,...',
      ]);
      screen.line(['Add a word to a list of words: ', code('SVC_ASSUME=job.done=+word')]);
    },
  },
  notes('ci', 'svc in CI', CI_NOTES),
  {
    name: 'faults',
    title: 'Faults of the sandbox: <operation>:<effect>[*<times>][,<option>]...',
    data: { faults: TABLES.faults },
    show(screen) {
      screen.terms(FAULTS);
      screen.line();
      for (const fault of FAULT_EXAMPLES) screen.line(code(`svc sandbox --fault '${fault}'`));
    },
  },
  {
    ...page('agents', 'The skill of an agent that uses svc', 'skills/svc/SKILL.md'),
    show: (screen, text) => screen.verbatim(text),
  },
  page('upgrading', 'Upgrading, and going back', 'docs/upgrading.md'),
  page('changelog', 'What changed in this version and before', 'CHANGELOG.md'),
];

function page(name: string, title: string, path: string): Topic {
  return { name, title, data: {}, show: showMarkdown, page: path };
}

function notes(name: string, title: string, lines: readonly string[]): Topic {
  return { name, title, data: { notes: lines }, show: (screen) => screen.list(lines) };
}

function toRows(options: readonly OptionDescription[]) {
  return options.map(({ flags, description }) => [flags, description] as const);
}

/** Reads a topic, with its page if it has one. */
export async function readTopic(
  { name, title, data, page, show }: Topic,
  packageFolder: string,
): Promise<Result<never>> {
  const text = page && (await readPage(packageFolder, page));
  return withView(document('help topic', { topic: name, text, ...data }), (screen) => {
    screen.exact();
    if (text === undefined) screen.heading(title);
    show(screen, text ?? '');
  });
}

/** Reads what an error code or an exit code means. */
export async function readCodes(
  topic: string,
  exitCodes: typeof TABLES.exitCodes,
  packageFolder: string,
): Promise<Result<never>> {
  const names = [...new Set(exitCodes.map((row) => row.code))];
  const entries = await Promise.all(names.map((name) => readCodeEntry(packageFolder, name)));
  const text = entries.join('\n\n');
  return withView(document('help topic', { topic, exitCodes, text }), (screen) => {
    screen.exact();
    for (const [index, name] of names.entries()) {
      for (const { exit, meaning } of exitCodes.filter((row) => row.code === name)) {
        screen.fields([
          ['Exit code', `${exit}`],
          ['Error code', name || undefined],
          ['Meaning', meaning],
        ]);
      }
      screen.line();
      const entry = entries[index];
      if (!entry) continue;
      showMarkdown(screen, entry);
      screen.line();
    }
    screen.line(['All of them: ', code('svc help exit-codes')]);
  });
}
