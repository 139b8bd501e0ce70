import { execa } from 'execa';
import { expect, test } from 'vitest';
import { type CommandDescription, describeEntries } from '../../src/cli/help/describe.ts';
import { TREE } from '../../src/commands/tree.ts';
import { inSandbox } from '../support/in-sandbox.ts';
import { needs } from '../support/needs.ts';
import { temporaryFolder } from '../support/svc.ts';

const leaves = (commands: readonly CommandDescription[]): CommandDescription[] =>
  commands.flatMap((one) => (one.commands.length === 0 ? [one] : leaves(one.commands)));
const EXAMPLES = leaves(await describeEntries(TREE)).flatMap(({ examples, exitCodes }) =>
  examples.map(({ command }) => ({ line: command, documented: exitCodes.map(({ code }) => code) })),
);

/** What a line takes for granted. */
const BEFORE: ReadonlyArray<readonly [line: RegExp, before: string]> = [
  [/^svc open/, 'svc config set dashboard https://dashboard.example.com'],
  [/token\.txt/, 'printenv SVC_TOKEN > token.txt'],
  [/\bwork\b/, 'printenv SVC_TOKEN | svc login --with-token --profile work'],
  [/--records plan\.json/, 'svc domains import kola-studio.example --output plan.json'],
  [/domains status \S+$/, 'svc domains add kola-studio.example --import --yes'],
  [
    /--domains moves\.csv/,
    "printf 'domain,service\\nkola-studio.example,svc_wp_7k2m9qx4\\n' > moves.csv",
  ],
  [/--domains domains\.txt/, 'echo kola-studio.example > domains.txt'],
  [
    /wp status --jobs backup\.ndjson/,
    'echo svc_wp_7k2m9qx4 | svc wp run cache.flush --services - --yes --log backup.ndjson',
  ],
  [/domains status --domains/, 'svc domains add --domains moves.csv --import --yes || true'],
];

/** What a line needs that works for the stored sign-in alone. */
const SIGN_IN = 'printenv SVC_TOKEN | svc login --with-token && unset SVC_TOKEN SVC_ORG && ';
/** Lines after which a person is asked; in a pipeline they need --yes. */
const ASKS = /^svc (buy --plan plan_wp_pro|domains add)(?!.*--dry-run)/;
/**
 * Lines that are tested with the login, the live view, in `sandbox-shell.test.ts`, or with a lost
 * answer.
 */
const SPECIAL =
  /^svc (orders settle|login --api-url|sandbox --port|sandbox shell|sandbox tour|metrics .*--watch)/;
/**
 * Lines that ask before the nameservers have switched, or about a domain with DNSSEC: any
 * documented end will do.
 */
const DEPENDS = /^svc domains (?:status|(?:import|add) --domains)/;

test.each(EXAMPLES.filter(({ line }) => !SPECIAL.test(line)))(
  'an example of the help works as it is written: $line',
  async ({ line, documented }) => {
    const before = BEFORE.flatMap(([pattern, command]) => (pattern.test(line) ? [command] : []));
    const whole = `${/orgs use/.test(line) ? SIGN_IN : ''}${line}${ASKS.test(line) ? ' --yes' : ''}`;
    const { exitCode, all } = await inSandbox(
      whole,
      await temporaryFolder(),
      { SHELL: '/bin/bash' },
      before,
    );
    expect([0, ...(DEPENDS.test(line) ? documented : [])], all).toContain(exitCode);
    if (/^svc db connect/.test(line)) expect(all).toContain('psql ');
  },
);

const PRINTING = `svc() { printf '<%s>' "$@"; echo; }`;
for (const [name, options, define] of [
  ['bash', ['--norc', '-c'], PRINTING],
  ['zsh', ['-f', '-c'], PRINTING],
  ['fish', ['--no-config', '-c'], `function svc; printf '<%s>' $argv; echo; end`],
] as const) {
  const shell = needs(name);
  test.skipIf(shell.missing)(
    shell.title(`the examples mean the same in sh and ${name}`),
    async () => {
      // A file that a line reads or writes is one more word here.
      const lines = EXAMPLES.map(({ line }) => line.replace(/ (<|>>|>) /, ' '));
      const cwd = await temporaryFolder();
      const seen = await execa(name, [...options, [define, ...lines].join('\n')], { cwd });
      const meant = await execa('sh', ['-c', [PRINTING, ...lines].join('\n')], { cwd });
      expect({ stdout: seen.stdout, stderr: seen.stderr }).toEqual({
        stdout: meant.stdout,
        stderr: '',
      });
      expect(meant.stdout.split('\n')).toHaveLength(EXAMPLES.length);
    },
  );
}
