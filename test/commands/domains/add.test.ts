import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fakeClock } from '../../support/clock.ts';
import { SERVFAIL, testDns } from '../../support/dns.ts';
import { SOME_DS } from '../../support/dns-world.ts';
import { svc, temporaryFolder } from '../../support/svc.ts';
import { testWire, type Wire } from '../../support/wire.ts';

const SCAN = '/v1/domains/import/scan';
const STAGE = '/v1/services/app-1/domains/moved.example/import';
const ADD = ['domains', 'add', 'moved.example', '--service', 'app-1', '--import'];

const RECORDS = [
  { subdomain: '', type: 'A', value: '192.0.2.1', ttl: 300 },
  { subdomain: '', type: 'MX', value: 'mail.moved.example', ttl: 300, priority: 10 },
  { subdomain: '', type: 'TXT', value: 'v=spf1 mx -all', ttl: 300 },
];
const FOUND = {
  apex: 'moved.example',
  currentNameservers: ['ns1.old.example', 'ns2.old.example'],
  records: [{ ...RECORDS[0], priority: null, zoneId: 'z1' }, RECORDS[1], RECORDS[2], RECORDS[2]],
  warnings: [],
};
const STAGED = { nameservers: ['ns1.new.example', 'ns2.new.example'], stagedRecords: RECORDS, ticket: 7 };

async function moving(found: unknown = FOUND, staged: unknown = STAGED) {
  const wire = await testWire();
  wire.on('POST', SCAN).reply(200, found);
  wire.on('POST', STAGE).reply(200, staged);
  return wire;
}

/** A folder with one file of records in it. */
async function folderWith(name: string, content: unknown): Promise<string> {
  const cwd = await temporaryFolder();
  writeFileSync(join(cwd, name), typeof content === 'string' ? content : JSON.stringify(content));
  return cwd;
}

test('the records of the scan are staged with the five documented fields, and the next steps are shown', async () => {
  const wire = await moving();
  const configDir = await temporaryFolder();
  const run = await svc([...ADD, '--yes'], { url: wire.url, configDir, clock: fakeClock() });
  expect(wire.requests.map(({ json }) => json)).toEqual([{ domain: 'moved.example' }, { records: RECORDS }]);
  expect(run.exitCode).toBe(0);
  expect(run.stderr).toBe('Warning: 1 record appeared more than once and will be staged once.\n');
  expect(run.stdout).toBe(`✓ Staged 3 records of moved.example on app-1.
The platform confirmed all 3 records.
The records as scanned are saved in ${configDir}/domains/moved.example.2026-03-01.zone

Nameservers to set at the registrar
  • ns1.new.example
  • ns2.new.example

What to do now
  1. If DNSSEC is on, remove the DS record of moved.example at the registrar, and wait a day for caches to forget it.
  2. Where moved.example is registered, replace all of its nameservers (now ns1.old.example, ns2.old.example) with those above.
  3. Keep the old records for two days: DNS caches may still use them.
  4. Watch the switch: svc domains status moved.example --wait
  5. Then verify the domain. The API reference shows no request for that, so svc has no command for it.

More
  Ticket  7
`);
});

test('a priority of 0 is left out for a type without priorities', async () => {
  const wire = await moving({ ...FOUND, records: RECORDS.map((record) => ({ priority: 0, ...record })) });
  const run = await svc([...ADD, '--yes'], { url: wire.url });
  expect(run).toMatchObject({ exitCode: 0, stderr: '' });
  expect(wire.requests[1]?.json).toEqual({ records: RECORDS });
});

test('scripts get the answer of the staging, and each warning as a line of JSON', async () => {
  const odd = { ...FOUND, warnings: ['Zone transfer refused: only common names were probed'] };
  for (const flags of [['--json'], ['--jq', '.nameservers[0]']]) {
    const wire = await moving(odd);
    const cwd = await folderWith('file', 'in the way');
    const run = await svc([...ADD, '--yes', ...flags], { url: wire.url, configDir: join(cwd, 'file', 'below') });
    expect(run.exitCode).toBe(0);
    expect(run.stdout).toBe(flags[0] === '--json' ? `${JSON.stringify(STAGED)}\n` : 'ns1.new.example\n');
    const said = run.stderr
      .trimEnd()
      .split('\n')
      .map((line): unknown => JSON.parse(line));
    expect(said).toEqual([
      { code: 'records_doubtful', warning: 'Zone transfer refused: only common names were probed' },
      { code: 'records_doubtful', warning: '1 record appeared more than once and will be staged once.' },
      { code: 'zone_not_saved', warning: expect.stringContaining('svc cannot save the current records') },
      { code: 'change_not_kept', warning: expect.stringContaining('svc changes will not show') },
      { code: 'staging_not_saved', warning: expect.stringContaining('svc cannot save what was staged') },
    ]);
  }
});

test.each([
  { success: false, message: 'zone is locked', nameservers: ['ns1.new.example'] },
  { error: 'zone is locked' },
])(
  'a staging that the platform refuses in its answer (%j) is exit 9, and leaves nothing to do at the registrar',
  async (answer) => {
    const configDir = await temporaryFolder();
    for (const flags of [[], ['--wait'], ['--json']]) {
      const wire = await moving(FOUND, answer);
      const run = await svc([...ADD, '--yes', ...flags], { url: wire.url, configDir });
      expect(run.exitCode).toBe(9);
      const words = 'The platform did not stage the records of moved.example: zone is locked';
      if (flags[0] === '--json') expect(run.error['error']).toContain(answer.error ?? words);
      else expect(run.stderr).toContain(words);
      expect(run.stdout).not.toMatch(/✓|registrar/);
      if (flags[0] === '--json') expect(run.stdout).toBe(`${JSON.stringify(answer)}\n`);
    }
    const status = await svc(['domains', 'status', 'moved.example'], { configDir });
    expect(status.stderr, 'nothing is remembered').toContain('does not know its new nameservers');
  },
);

test.each([
  ['none of 3', [], '0 of 3 records'],
  ['one of 3', [RECORDS[0]], 'TXT at moved.example: v=spf1 mx -all'],
  ['3, one of them with another value', [RECORDS[0], RECORDS[1], { ...RECORDS[2], value: 'v=spf1 -all' }], '2 of 3'],
  ['another type', [{ ...RECORDS[0], type: 'AAAA' }, RECORDS[1], RECORDS[2]], '2 of 3 records'],
  ['another name', [{ ...RECORDS[0], subdomain: 'www' }, RECORDS[1], RECORDS[2]], '2 of 3 records'],
])('an answer with %s staged is exit 9, on stdout, and sends nobody to the registrar', async (_name, staged, words) => {
  const configDir = await temporaryFolder();
  for (const flags of [[], ['--wait'], ['--json']]) {
    const answer = { nameservers: STAGED.nameservers, stagedRecords: staged };
    const wire = await moving(FOUND, answer);
    const run = await svc([...ADD, '--yes', ...flags], { url: wire.url, configDir });
    expect(run.exitCode).toBe(9);
    expect(run.stdout).not.toMatch(/✓|replace all|What to do now/);
    expect(run.stderr).toContain(words);
    if (flags[0] !== '--json') continue;
    expect(run.stdout).toBe(`${JSON.stringify(answer)}\n`);
    expect(run.error).toMatchObject({ code: 'failed', exitCode: 9 });
  }
  const status = await svc(['domains', 'status', 'moved.example'], { configDir });
  expect(status.stderr, 'nothing is remembered').toContain('does not know its new nameservers');
});

test.each([
  ['another TTL', [{ ...RECORDS[0], ttl: 600 }, RECORDS[1], RECORDS[2]], 'records with another TTL or priority'],
  ['another spelling', [RECORDS[0], { ...RECORDS[1], value: 'MAIL.moved.example.' }, RECORDS[2]], undefined],
  ['texts in quotes', [RECORDS[0], RECORDS[1], { ...RECORDS[2], value: '"v=spf1 " "mx -all"' }], undefined],
  [
    'the priority in the value',
    [RECORDS[0], { ...RECORDS[1], value: '10 mail.moved.example', priority: undefined }, RECORDS[2]],
    undefined,
  ],
  ['records of its own', RECORDS.map((record) => ({ record, status: 'staged' })), undefined],
  ['one more', [...RECORDS, { ...RECORDS[0], subdomain: 'www' }], undefined],
])('an answer with %s confirms what was sent', async (_name, stagedRecords, warning) => {
  for (const flags of [[], ['--json']]) {
    const answer = { ...STAGED, stagedRecords };
    const wire = await moving({ ...FOUND, records: RECORDS }, answer);
    const run = await svc([...ADD, '--yes', ...flags], { url: wire.url });
    expect(run.exitCode).toBe(0);
    if (warning === undefined) expect(run.stderr).toBe('');
    else expect(run.stderr).toMatch(new RegExp(`^[^\n]*${warning}[^\n]*\n$`));
    if (flags.length > 0) expect(run.stdout).toBe(`${JSON.stringify(answer)}\n`);
    else expect(run.stdout).toMatch(/✓ Staged 3 records of moved\.example.*confirmed all 3 records.*replace all/s);
  }
});

test.each([
  ['a number', 3],
  ['a lower number', 2],
  ['a count', { count: 3 }],
  ['ids', ['rec_1', 'rec_2', 'rec_3']],
  ['fewer ids', ['a', 'b']],
  ['other fields', RECORDS.map(({ value }) => ({ content: value }))],
  ['lists by type', { A: [{ value: 'x' }], other: [{}, {}] }],
])('an answer with %s in place of the records is accepted, and confirms nothing', async (_name, stagedRecords) => {
  for (const flags of [[], ['--json']]) {
    const answer = { ...STAGED, stagedRecords };
    const wire = await moving({ ...FOUND, records: RECORDS }, answer);
    const run = await svc([...ADD, '--yes', ...flags], { url: wire.url });
    expect(run.exitCode).toBe(0);
    expect(run.stderr).toMatch(/^[^\n]*cannot compare[^\n]*\n$/);
    expect(run.stdout).not.toMatch(/✓|confirmed/);
    if (flags.length === 0)
      expect(run.stdout).toMatch(/The platform accepted 3 records of moved\.example.*replace all/s);
  }
});

test.each([
  [
    'an error in a record',
    { stagedRecords: [RECORDS[0], { ...RECORDS[1], error: 'does not resolve' }, RECORDS[2]] },
    'MX at moved.example: does not resolve',
  ],
  [
    'a failed record',
    { stagedRecords: [RECORDS[0], { ...RECORDS[1], status: 'FAILED' }, RECORDS[2]] },
    'MX at moved.example: FAILED',
  ],
  [
    'a record that is not staged',
    { stagedRecords: [RECORDS[0], { ...RECORDS[1], staged: false }, RECORDS[2]] },
    'MX at moved.example: not staged',
  ],
  [
    'two of them',
    { stagedRecords: RECORDS.map((record, index) => ({ ...record, ok: index > 1 })) },
    'did not stage 2 of 3 records',
  ],
  [
    'a record within a failed entry',
    { stagedRecords: RECORDS.map((record, index) => ({ record, status: index === 1 ? 'error' : 'ok' })) },
    'MX at moved.example: error',
  ],
  [
    'an entry of another form that failed',
    { stagedRecords: [{ id: 1 }, { id: 2, error: 'odd' }, { id: 3 }] },
    'stagedRecords[1]: odd',
  ],
  ['skipped records', { skipped: [{ ...RECORDS[1], reason: 'no mail here' }] }, 'MX at moved.example: no mail here'],
  ['rejected records', { rejected: [RECORDS[1]] }, 'did not stage 1 of 3 records'],
  ['errors', { errors: [{ message: 'MX is odd' }] }, 'MX is odd'],
  ['a failed status', { status: 'failed' }, 'did not stage the records of moved.example: status failed'],
  ['a failed status in its data', { data: { status: 'import_failed' } }, 'import_failed'],
])(
  'an answer with %s beside all records is exit 9, names it, and sends nobody to the registrar',
  async (_name, more, words) => {
    for (const flags of [[], ['--json']]) {
      const answer = { ...STAGED, ...more };
      const wire = await moving({ ...FOUND, records: RECORDS }, answer);
      const run = await svc([...ADD, '--yes', ...flags], { url: wire.url });
      expect(run.exitCode).toBe(9);
      expect(run.stderr).toContain(words);
      expect(run.stderr).toContain('Do not switch nameservers');
      expect(run.stdout).not.toMatch(/✓|confirmed all|replace all|What to do now/);
      if (flags.length > 0) expect(run.stdout).toBe(`${JSON.stringify(answer)}\n`);
    }
  },
);

test.each([
  ['pending', 'pending_verification', ''],
  ['unknown', 'parked', 'SVC_ASSUME=job.done=+parked'],
])('a status that is %s gets no tick, and the next steps are shown', async (_kind, status, words) => {
  const wire = await moving({ ...FOUND, records: RECORDS }, { ...STAGED, status });
  const run = await svc([...ADD, '--yes'], { url: wire.url });
  expect(run.exitCode).toBe(0);
  expect(run.stderr).toContain(words);
  expect(run.stdout.replaceAll('\n', ' ')).toContain(
    `The platform accepted 3 records of moved.example for app-1. The status is "${status}".`,
  );
  expect(run.stdout).not.toContain('✓');
  expect(run.stdout).toContain('replace all');
  if (words === '') return;
  const again = await moving({ ...FOUND, records: RECORDS }, { ...STAGED, status });
  const assumed = await svc([...ADD, '--yes'], { url: again.url, env: { SVC_ASSUME: 'job.done=+parked' } });
  expect(assumed).toMatchObject({ exitCode: 0, stderr: '', stdout: expect.stringContaining('✓ Staged 3 records') });
});

test.each([[undefined], [null], [[]], ['pending'], [[2]], [{}]])(
  'without nameservers in the answer (%j) nothing is switched',
  async (nameservers) => {
    const configDir = await temporaryFolder();
    const wire = await moving({ ...FOUND, records: RECORDS }, { stagedRecords: RECORDS, nameservers });
    const run = await svc([...ADD, '--yes'], { url: wire.url, configDir });
    expect(run.exitCode).toBe(0);
    expect(run.stderr).toContain('Warning: The answer has no nameservers, so nothing can be switched yet.');
    expect(run.stdout).not.toMatch(/✓|registrar|Watch|What to do now/);
    const status = await svc(['domains', 'status', 'moved.example'], { configDir });
    expect(status.stderr).toContain('the answer named no nameservers that svc can read');
  },
);

test.each([
  ['ns1.new.example, ns2.new.example'],
  [[{ name: 'ns1.new.example' }, { hostname: 'ns2.new.example.', ttl: 5 }]],
])('nameservers are read from %j', async (nameservers) => {
  const wire = await moving({ ...FOUND, records: RECORDS }, { ...STAGED, nameservers });
  const run = await svc([...ADD, '--yes'], { url: wire.url });
  expect(run.stdout).toMatch(/✓.*• ns1\.new\.example\n {2}• ns2\.new\.example\.?\n/s);
});

test.each([
  ['words', { ...STAGED, stagedRecords: 'all', message: 'queued for review' }],
  ['three times nothing', { ...STAGED, stagedRecords: [null, false, ''], message: 'queued for review' }],
  ['three ids that are zero', { ...STAGED, stagedRecords: [0, 0, 0], message: 'queued for review' }],
  ['no list', { nameservers: STAGED.nameservers, message: 'queued for review' }],
  ['null', { ...STAGED, stagedRecords: null, message: 'queued for review' }],
])('an answer with %s leaves open whether the records are staged', async (_name, answer) => {
  for (const flags of [[], ['--wait'], ['--json']]) {
    const wire = await moving(FOUND, answer);
    const run = await svc([...ADD, '--yes', ...flags], { url: wire.url });
    expect(run.exitCode).toBe(8);
    expect(run.stderr).toContain('The answer does not confirm that the records of moved.example are staged: queued');
    expect(run.stdout).not.toMatch(/✓|replace all|What to do now/);
    if (flags[0] !== '--json') expect(run.stdout).toContain('ns1.new.example');
    else
      expect(run).toMatchObject({
        stdout: `${JSON.stringify(answer)}\n`,
        error: { code: 'unavailable', outcome: 'unknown', next: ['svc domains status moved.example'] },
      });
  }
});

test('a filter that fails on the answer still reports the staging', async () => {
  const wire = await moving();
  const run = await svc([...ADD, '--yes', '--jq', '.x[]'], { url: wire.url });
  expect(run).toMatchObject({ exitCode: 1, stdout: '' });
  expect(run.error['error']).toMatch(/^The staging of moved\.example was accepted\. The --jq filter failed /);
});

test('without --import nothing is sent, and the error names --import', async () => {
  const wire = await testWire();
  const run = await svc(['domains', 'add', 'moved.example', '--service', 'app-1', '--yes'], { url: wire.url });
  expect(run).toMatchObject({ exitCode: 2, stdout: '' });
  expect(run.stderr).toBe(`Error: svc adds a domain only by moving its DNS to the platform (--import).
  The public API reference does not show how to verify a domain by a DNS record.
  svc api sends any other request.
Try: svc domains add moved.example --service app-1 --import
`);
});

test.each([
  [['domains', 'add', 'moved.example', '--records', 'a plan.json'], "--import --records 'a plan.json'"],
  [
    ['domains', 'add', 'www.moved.com', '--import', '--skip-invalid', '--service', 'app-1'],
    '--service app-1 --import --skip-invalid',
  ],
  [['domains', 'status', 'www.moved.com', '--nameserver', 'ns1.new.com'], '--nameserver ns1.new.com'],
  [['domains', 'import', 'www.moved.com', '--output', 'plan.json'], '--output plan.json'],
])('a command that is proposed repeats what was typed: %j', async (args, words) => {
  const wire = await testWire();
  const run = await svc([...args, '--yes'], { url: wire.url });
  expect(run.exitCode).toBe(2);
  expect(run.stderr).toContain(`Try: svc ${args.slice(0, 2).join(' ')} ${args[2]?.replace('www.', '')} ${words}\n`);
});

test('a scan that is not found is proposed again for the name above, with what was typed', async () => {
  const wire = await testWire();
  wire.on('POST', SCAN).reply(404, { error: 'no zone' });
  const args = ['domains', 'add', 'www.moved.example', '--service', 'app-1', '--import', '--yes'];
  const run = await svc(args, { url: wire.url });
  expect(run.exitCode).toBe(6);
  expect(run.stderr).toContain('Try: svc domains add moved.example --service app-1 --import\n');
});

test('off a terminal nothing is sent without --yes, not even the scan', async () => {
  const wire = await testWire();
  for (const more of [[], ['--no-input'], ['--skip-invalid'], ['--json'], ['--quiet']]) {
    expect(await svc([...ADD, ...more], { url: wire.url })).toMatchObject({ exitCode: 2, stdout: '' });
  }
});

test('the service may come from the environment; without any nothing is sent', async () => {
  const wire = await moving();
  const args = ['domains', 'add', 'moved.example', '--import', '--yes', '--quiet'];
  expect((await svc(args, { url: wire.url, env: { SVC_SERVICE: 'app-1' } })).exitCode).toBe(0);
  const none = await svc(args, { url: wire.url });
  expect(none).toMatchObject({ exitCode: 2, stdout: '' });
  expect(none.stderr).toContain('This command needs a service');
});

describe('records that the platform cannot hold', () => {
  const odd = [
    RECORDS[0],
    { subdomain: '', type: 'CAA', value: '0 issue "ca.example"', ttl: 300 },
    { subdomain: 'x*y', type: 'A', value: '192.0.2.2', ttl: 300 },
    { subdomain: 'a', type: 'A', value: '192.0.2.2', ttl: 2 ** 31 },
    { subdomain: 'b', type: 'A', value: '192.0.2.2', ttl: '5m' },
    { subdomain: 'c', type: 'MX', value: '@', ttl: 300 },
    { subdomain: 'c', type: 'TXT', value: '"\\255"', ttl: 300 },
    { subdomain: 'd', type: 'A', value: '192.0.2.2', ttl: 300, priority: 5 },
  ];
  const lines = `CAA at moved.example: the platform does not support CAA records
  A at x*y.moved.example: subdomain "x*y" has the character "*"
  A at a.moved.example: ttl must be a whole number from 0 to 2147483647, in seconds
  A at b.moved.example: ttl must be a whole number from 0 to 2147483647, in seconds
  MX at c.moved.example: value is "@"; a host name is written in full
  TXT at c.moved.example: value has bytes that are not UTF-8, which JSON cannot carry
  A at d.moved.example: priority is for MX and SRV only, not for A
`;

  test('stop the command, each in a sentence, and nothing is staged', async () => {
    const wire = await testWire();
    wire.on('POST', SCAN).reply(200, { ...FOUND, records: odd });
    const run = await svc([...ADD, '--yes'], { url: wire.url });
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    const counts = '4 A, 1 CAA, 1 MX and 1 TXT records';
    expect(run.stderr).toBe(`Error: ${counts} cannot be staged. Nothing was staged.
  ${lines}  Correct them in a file for --records. With --skip-invalid the others are staged without ${counts}, and the site, mail or a part of the domain may stop.
`);
  });

  test.each([
    ['CAA', '', true],
    ['A', '', false],
    ['AAAA', '', false],
    ['CNAME', '', false],
    ['ALIAS', '', false],
    ['A', 'x', true],
    ['MX', '', false],
    ['TXT', 'x', false],
    ['NS', 'sub', false],
    ['NS', '', true],
  ])('are never left out in silence: %s at "%s"', async (type, subdomain, isProposed) => {
    const wire = await testWire();
    const faulty = { subdomain, type, value: 'x', ttl: -1 };
    wire.on('POST', SCAN).reply(200, { ...FOUND, records: [RECORDS[0], faulty] });
    const run = await svc([...ADD, '--yes', '--json'], { url: wire.url });
    expect(run.exitCode).toBe(2);
    expect(run.error['error']).toContain(`1 ${type} record cannot be staged`);
    expect(run.error['hint']).toContain(`without 1 ${type} record`);
    expect(run.error['next'] !== undefined).toBe(isProposed);
  });

  test('are listed for a script in one line, if it leaves them out', async () => {
    const wire = await moving({ ...FOUND, records: odd }, { ...STAGED, stagedRecords: [RECORDS[0]] });
    const run = await svc([...ADD, '--yes', '--skip-invalid', '--json'], { url: wire.url });
    expect(run.exitCode).toBe(0);
    expect(run.error).toEqual({
      warning: `4 A, 1 CAA, 1 MX and 1 TXT records cannot be staged: ${lines.trimEnd().replaceAll(/\n {2}/g, '; ')}`,
      code: 'cannot_be_staged',
    });
  });

  test('are left out with --skip-invalid, and listed', async () => {
    const wire = await moving({ ...FOUND, records: odd }, { ...STAGED, stagedRecords: [RECORDS[0]] });
    const run = await svc([...ADD, '--yes', '--skip-invalid'], { url: wire.url });
    expect(run.exitCode).toBe(0);
    expect(run.stderr).toBe(`Warning: 4 A, 1 CAA, 1 MX and 1 TXT records cannot be staged:\n  ${lines}`);
    expect(wire.requests[1]?.json).toEqual({ records: [RECORDS[0]] });
  });

  test('leave nothing to stage if there is no other record, and nothing else is reported', async () => {
    const wire = await testWire();
    wire.on('POST', SCAN).reply(200, { ...FOUND, records: odd.slice(1, 2) });
    const run = await svc([...ADD, '--yes', '--skip-invalid', '--json'], { url: wire.url });
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.error).toMatchObject({ code: 'usage', error: 'There is no record to stage. Nothing was staged.' });
  });
});

test('what a scan has in other words is read and staged: @, a full name, a number in a text, a priority in the value', async () => {
  const records = [
    { subdomain: '@', type: 'A', value: '192.0.2.1', ttl: '300' },
    { subdomain: 'www.moved.example', type: 'A', value: '192.0.2.2', ttl: 300 },
    { subdomain: '', type: 'MX', value: '10 mail.moved.example.', ttl: 300 },
    { subdomain: '', type: 'MX', value: 'mail2.moved.example', ttl: 300 },
    { subdomain: '_sip._tcp', type: 'SRV', value: '10 60 5060 sip.moved.example', ttl: 300 },
  ];
  const staged = [
    { subdomain: '', type: 'A', value: '192.0.2.1', ttl: 300 },
    { subdomain: 'www', type: 'A', value: '192.0.2.2', ttl: 300 },
    { subdomain: '', type: 'MX', value: 'mail.moved.example.', ttl: 300, priority: 10 },
    { subdomain: '', type: 'MX', value: 'mail2.moved.example', ttl: 300 },
    { subdomain: '_sip._tcp', type: 'SRV', value: '60 5060 sip.moved.example', ttl: 300, priority: 10 },
  ];
  const configDir = await temporaryFolder();
  const wire = await moving({ ...FOUND, records }, { ...STAGED, stagedRecords: staged });
  const run = await svc([...ADD, '--yes'], { url: wire.url, configDir });
  expect(run.exitCode).toBe(0);
  expect(run.stderr).toBe(
    'Warning: moved.example MX: it has no priority and is sent without one, so the platform chooses it.\n',
  );
  expect(wire.requests[1]?.json).toEqual({ records: staged });
  const kept = JSON.parse(readFileSync(join(configDir, 'domains/moved.example.json'), 'utf8'));
  expect(kept).toMatchObject({ records: staged });
  expect(kept, 'a zone file without the MX record is no way back').not.toHaveProperty('file');
});

test('the numbers of SRV and MX beside the value are sent where the record table has them', async () => {
  const sip = { subdomain: '_sip._tcp', type: 'SRV', value: 'sip.moved.example', ttl: 300, priority: 10 };
  const mx = { subdomain: '', type: 'MX', value: 'mail.moved.example', ttl: 300 };
  const staged = [
    { ...sip, value: '60 5060 sip.moved.example' },
    { ...mx, priority: 20 },
  ];
  const records = [
    { ...sip, weight: 60, port: '5060' },
    { ...mx, preference: 20 },
  ];
  const wire = await moving({ ...FOUND, records }, { ...STAGED, stagedRecords: staged });
  const run = await svc([...ADD, '--yes'], { url: wire.url });
  expect(run).toMatchObject({ exitCode: 0, stderr: '' });
  expect(wire.requests[1]?.json).toEqual({ records: staged });
});

test.each([
  [{ weight: 60 }, 'value "sip.moved.example" is not "weight port target"'],
  [{ port: 5060 }, 'value "sip.moved.example" is not "weight port target"'],
  [{}, 'value "sip.moved.example" is not "weight port target"'],
  [{ value: '60 5060 sip.moved.example', port: 5061 }, 'port is not the one in the value'],
  [{ value: '60 5060 sip.moved.example', weight: 5 }, 'weight is not the one in the value'],
])('an SRV record whose weight and port are not known is refused: %j', async (fields, why) => {
  const wire = await testWire();
  const sip = { subdomain: '_sip._tcp', type: 'SRV', value: 'sip.moved.example', ttl: 300, priority: 10, ...fields };
  wire.on('POST', SCAN).reply(200, { ...FOUND, records: [...RECORDS, sip] });
  const run = await svc([...ADD, '--yes'], { url: wire.url });
  expect(run).toMatchObject({ exitCode: 2, stdout: '' });
  expect(run.stderr).toContain(`SRV at _sip._tcp.moved.example: ${why}`);
});

test('a field that cannot be sent is warned of, from a scan and from a plan, and so is what a scan has left out', async () => {
  const [a, mx, txt] = RECORDS;
  const odd = { ...txt, values: ['a', 'b'], id: 7, createdAt: '2026-01-01', class: 'IN', disabled: false, note: '' };
  const records = [{ ...a, proxied: true }, { ...mx, preference: 20 }, odd];
  const said = [
    'moved.example A: the field "proxied" cannot be staged, and is lost.',
    'moved.example MX: the field "preference" cannot be staged, and is lost.',
    'moved.example TXT: the field "values" cannot be staged, and is lost.',
  ];
  const left = 'The scan left something out: skippedTypes ["CAA"].';
  const lines = (warnings: readonly string[]) => warnings.map((warning) => `Warning: ${warning}\n`).join('');
  const wire = await moving({ ...FOUND, records, skippedTypes: ['CAA'], failedCount: 0, missing: [] });
  const configDir = await temporaryFolder();
  const run = await svc([...ADD, '--yes'], { url: wire.url, configDir, clock: fakeClock() });
  expect(run).toMatchObject({ exitCode: 0, stderr: lines([left, ...said]) });
  expect(wire.requests[1]?.json).toEqual({ records: RECORDS });
  const zone = readFileSync(join(configDir, 'domains/moved.example.2026-03-01.zone'), 'utf8');
  expect(zone).toContain(`\n; ${left}\n; without its proxied: ${JSON.stringify(records[0])}\n`);

  const again = await moving({ ...FOUND, records, skippedTypes: ['CAA'] });
  const cwd = await temporaryFolder();
  await svc(['domains', 'import', 'moved.example', '--output', 'plan.json'], { url: again.url, cwd });
  const planned = await svc([...ADD, '--records', 'plan.json', '--yes'], { url: again.url, cwd });
  expect(planned).toMatchObject({ exitCode: 0, stderr: lines([left, ...said]) });
});

describe('a scan that answers for a domain', () => {
  test('other than the one asked for stages nothing, and both are named', async () => {
    const wire = await testWire();
    wire.on('POST', SCAN).reply(200, { ...FOUND, apex: 'other.example' });
    const run = await svc([...ADD, '--yes', '--json'], { url: wire.url });
    expect(run).toMatchObject({ exitCode: 1, stdout: '', error: { code: 'unexpected', exitCode: 1 } });
    expect(run.error['error']).toContain('moved.example');
    expect(run.error['error']).toContain('"other.example"');
    expect(wire.requests).toHaveLength(1);
  });

  test.each([
    ['moved.example', 'Moved.EXAMPLE.'],
    ['moved.example', ' moved.example '],
    ['moved.example', ''],
    ['moved.example', 5],
    ['xn--bcher-kva.example', 'BÜCHER.example'],
  ])('%s spelt %j is that domain', async (domain, apex) => {
    const wire = await testWire();
    wire.on('POST', SCAN).reply(200, { ...FOUND, apex, records: [RECORDS[0]] });
    wire.on('POST', STAGE.replace('moved.example', domain)).reply(200, STAGED);
    const args = ['domains', 'add', domain, '--service', 'app-1', '--import', '--yes', '--quiet'];
    expect(await svc(args, { url: wire.url })).toMatchObject({ exitCode: 0 });
  });
});

describe('--records', () => {
  const staging = async () => {
    const wire = await testWire();
    wire.on('POST', STAGE).reply(200, STAGED);
    return wire;
  };

  test.each([
    ['a plan', { apex: 'moved.example', records: RECORDS, currentNameservers: ['ns1.old.example'] }],
    ['a list', RECORDS],
    [
      'a zone file',
      `$ORIGIN moved.example.\n@ 300 IN A 192.0.2.1\n@ 300 MX 10 mail\n@ 300 TXT ( "v=spf1 " ; half\n "mx -all" )\n`,
    ],
  ])('stages %s without a scan', async (_title, content) => {
    const wire = await staging();
    const cwd = await folderWith('records', content);
    const run = await svc([...ADD, '--yes', '--records', 'records'], { url: wire.url, cwd });
    expect(run).toMatchObject({ exitCode: 0, stderr: '' });
    expect(wire.requests.map(({ json }) => json)).toEqual([{ records: RECORDS }]);
  });

  test('reads standard input behind -', async () => {
    const wire = await staging();
    const run = await svc([...ADD, '--yes', '--records', '-'], { url: wire.url, stdin: JSON.stringify(RECORDS) });
    expect(run.exitCode).toBe(0);
    expect(wire.requests.map(({ json }) => json)).toEqual([{ records: RECORDS }]);
  });

  test.each([
    ['a file that is not there', undefined, /cannot be read: no such file/],
    ['an empty file', '', /is empty/],
    ['half a JSON text', '[{"type":', /cannot be read as JSON/],
    ['JSON with a comma too many', '[\n  {},\n]', /cannot be read as JSON/],
    ['a number that would be changed', '[{"ttl":9007199254740993}]', /cannot be sent exactly/],
    ['a plan of another domain', { apex: 'other.example', records: RECORDS }, /has the records of "other.example"/],
    ['an object without records', { apex: 'moved.example' }, /without a list named records/],
    ['a broken zone file', '@ 300 IN TXT "', /Zone file, line 1/],
    ['bytes that are no text', '@ 300 IN TXT "\u{fffd}"', /is not UTF-8/],
    ['a file of six megabytes', ' '.repeat(6_000_000), /has more than 5242880 bytes/],
    ['two hundred and fifty brackets', '['.repeat(250) + ']'.repeat(250), /cannot be read as JSON/],
    ['no record at all', '[]', /There is no record to stage/],
  ])('refuses %s, and nothing is sent', async (title, content, message) => {
    const wire = await testWire();
    const cwd = content === undefined ? await temporaryFolder() : await folderWith('records', content);
    if (title === 'bytes that are no text') writeFileSync(join(cwd, 'records'), Buffer.from([0x40, 0x20, 0xff]));
    const run = await svc([...ADD, '--yes', '--records', 'records'], { url: wire.url, cwd });
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toMatch(message);
  });

  test('names the line of a record in a zone file that cannot be staged', async () => {
    const wire = await testWire();
    const cwd = await folderWith('zone', '$TTL 300\n@ A 192.0.2.1\n\n@ CAA 0 issue "ca.example"\n');
    const run = await svc([...ADD, '--yes', '--records', 'zone'], { url: wire.url, cwd });
    expect(run.stderr).toContain('line 4, CAA at moved.example: the platform does not support CAA records');
  });

  test('leaves out lines of a zone file that cannot be held with --skip-invalid, and counts them', async () => {
    const zone = [
      '$TTL 300',
      '@ A 192.0.2.1',
      'a\\.b A 192.0.2.9',
      '  A 192.0.2.10',
      'www.other.example. A 192.0.2.11',
      '@ MX 10 mail',
      '@ CAA 0 issue "ca.example"',
      '@ TXT "v=spf1 mx -all"',
    ].join('\n');
    const cwd = await folderWith('zone', zone);
    const stopped = await testWire();
    const without = await svc([...ADD, '--yes', '--records', 'zone'], { url: stopped.url, cwd });
    expect(without).toMatchObject({ exitCode: 2, stdout: '' });
    expect(without.stderr).toMatch(
      /^Error: Zone file, line 3, column 1: .*\n {2}Correct this line, or add --skip-invalid to leave out all lines that svc cannot read.\n$/,
    );
    expect(stopped.requests).toEqual([]);
    const wire = await staging();
    const run = await svc([...ADD, '--yes', '--records', 'zone', '--skip-invalid'], { url: wire.url, cwd });
    expect(run.exitCode).toBe(0);
    expect(run.stderr).toBe(`Warning: 1 CAA record and 3 unreadable lines cannot be staged:
  Zone file, line 3, column 1: "a\\\\.b" has the escape \\., and the name of a record cannot have it.
  Zone file, line 4, column 3: the name of this record, in a line above, cannot be read.
  Zone file, line 5, column 1: "www.other.example" is not moved.example or below it.
  line 7, CAA at moved.example: the platform does not support CAA records
`);
    expect(wire.requests.map(({ json }) => json)).toEqual([{ records: RECORDS }]);
  });

  test('stops at an error that breaks the whole zone file, also with --skip-invalid', async () => {
    const wire = await testWire();
    const args = [...ADD, '--yes', '--skip-invalid', '--records', '-'];
    const run = await svc(args, { url: wire.url, stdin: '@ 300 A 192.0.2.1\n@ 300 TXT "open\n' });
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toContain('line 2, column 11: this quote is not closed');
  });

  test('warns of an edited plan that has lost mail records', async () => {
    const wire = await staging();
    const mail = { mx: true, spf: true, dmarc: true };
    const cwd = await folderWith('plan.json', { apex: 'moved.example', records: RECORDS.slice(0, 2), mail });
    const run = await svc([...ADD, '--yes', '--records', 'plan.json'], { url: wire.url, cwd });
    expect(run.stderr).toBe(
      'Warning: The scan found SPF and DMARC records, but they will not be staged: mail for moved.example may stop.\n',
    );
  });

  test('tells of a CNAME beside other records, nameservers at the apex and odd TTLs, and stages them', async () => {
    const wire = await testWire();
    wire.on('POST', STAGE).reply(200, { ...STAGED, stagedRecords: 3 });
    const records = [
      { subdomain: 'www', type: 'CNAME', value: 'moved.example', ttl: 300 },
      { subdomain: 'www', type: 'A', value: '192.0.2.1', ttl: 5 },
      { subdomain: '', type: 'NS', value: 'ns1.old.example', ttl: 172_800 },
    ];
    const run = await svc([...ADD, '--yes', '--records', '-'], { url: wire.url, stdin: JSON.stringify(records) });
    expect(run.stderr).toBe(`Warning: www.moved.example A: the TTL is below 60 seconds.
Warning: moved.example NS: the TTL is longer than a day, so mistakes stay in caches that long.
Warning: www.moved.example CNAME: a name with a CNAME can have no other records.
Warning: moved.example NS: NS records at the apex usually point to the nameservers you are leaving.
Warning: svc cannot compare the staged records with yours, because it does not know their form.
`);
    expect(wire.requests[0]?.json).toEqual({ records });
  });
});

test('records that the platform staged otherwise than asked are shown line by line', async () => {
  const stagedRecords = [
    { ...RECORDS[0], ttl: 600 },
    RECORDS[1],
    { ...RECORDS[0], value: '192.0.2.9', subdomain: 'x' },
  ];
  const wire = await moving(FOUND, { ...STAGED, stagedRecords });
  const { stdout, exitCode } = await svc([...ADD, '--yes'], { url: wire.url });
  expect(exitCode).toBe(9);
  expect(stdout).toContain(`Sent (-) and staged (+):
  - @ 300 TXT v=spf1 mx -all
  - @ 300 A 192.0.2.1
  + @ 600 A 192.0.2.1
  + x 300 A 192.0.2.9
`);
});

test.each([
  [{}],
  [{ nameservers: null, stagedRecords: 'all' }],
  [{ nameservers: 'ns1.new.example', stagedRecords: [0, null] }],
  [{ nameservers: [{ hostname: 'ns1.new.example' }, 5, null], stagedRecords: [] }],
])('an odd answer of the staging is shown and never crashes: %j', async (answer) => {
  const wire = await moving(FOUND, answer);
  const run = await svc([...ADD, '--yes'], { url: wire.url });
  expect([8, 9]).toContain(run.exitCode);
  if (JSON.stringify(answer).includes('ns1')) expect(run.stdout).toContain('ns1.new.example');
});

describe('an end that leaves open whether the records were staged', () => {
  test.each(['reset', 'hangUp', 'cut', 'unreadable', '502'] as const)(
    'is exit 8, said so, and not repeated: %s',
    async (how) => {
      const wire = await testWire();
      wire.on('POST', SCAN).reply(200, FOUND);
      const plan = wire.on('POST', STAGE);
      if (how === 'cut') plan.cut(200, STAGED, 10);
      else if (how === 'unreadable') plan.reply(200, '<html>', { 'content-type': 'text/html' });
      else if (how === '502') plan.reply(502, { error: 'gateway' });
      else plan[how]();
      const run = await svc([...ADD, '--yes', '--json'], { url: wire.url, clock: fakeClock() });
      expect(run).toMatchObject({ exitCode: 8, stdout: '' });
      expect(run.error).toMatchObject({
        code: 'unavailable',
        outcome: 'unknown',
      });
      expect(wire.requests.filter(({ path }) => path === STAGE)).toHaveLength(1);
    },
  );

  test('is explained to people', async () => {
    const wire = await testWire();
    wire.on('POST', STAGE).reset();
    const args = [...ADD, '--yes', '--records', '-'];
    const run = await svc(args, { url: wire.url, stdin: JSON.stringify(RECORDS), clock: fakeClock() });
    expect(run.stderr).toContain(
      '  The records may have been staged. Staging switches nothing, so the domain works as before.\n',
    );
  });
});

test.each([
  [400, 3],
  [401, 4],
  [403, 5],
  [404, 6],
  [429, 7],
])('a refusal of %i is exit %i', async (status, exitCode) => {
  const wire = await testWire();
  wire.on('POST', SCAN).reply(200, FOUND);
  wire.on('POST', STAGE).reply(status, { error: 'no' });
  const run = await svc([...ADD, '--yes', '--json'], { url: wire.url, clock: fakeClock() });
  expect(run).toMatchObject({ exitCode, stdout: '' });
  expect(run.error).toMatchObject({ error: 'no', status });
  expect(run.error).not.toHaveProperty('outcome');
});

describe('--dry-run', () => {
  test('with records at hand shows the staging, and needs neither a sign-in nor --yes', async () => {
    const wire = await testWire();
    const args = [...ADD, '--dry-run', '--records', '-', '--json'];
    const run = await svc(args, { url: wire.url, token: null, stdin: JSON.stringify(FOUND.records) });
    expect(run.exitCode).toBe(0);
    expect(run.error).toMatchObject({ code: 'records_doubtful' });
    expect(run.json).toMatchObject({
      schemaVersion: 1,
      method: 'POST',
      url: `${wire.url}${STAGE}`,
      body: { records: RECORDS },
    });
    expect(run.stdout).not.toMatch(/authorization/i);
  });

  test('without records shows the scan, and which staging would follow', async () => {
    const wire = await testWire();
    const run = await svc([...ADD, '--dry-run', '--json'], { url: wire.url, token: null });
    expect(run).toMatchObject({ exitCode: 0, stderr: '' });
    expect(run.json).toMatchObject({
      schemaVersion: 1,
      method: 'POST',
      url: `${wire.url}${SCAN}`,
      body: { domain: 'moved.example' },
      followedBy: { method: 'POST', url: `${wire.url}${STAGE}` },
    });
    expect((run.json as { followedBy: object }).followedBy).not.toHaveProperty('body');
    const people = await svc([...ADD, '--dry-run'], { url: wire.url });
    expect(people.stdout).toContain(`Then svc would stage the records of the scan: POST ${wire.url}${STAGE}\n`);
  });

  test('refuses records that would not be staged', async () => {
    const wire = await testWire();
    const args = [...ADD, '--dry-run', '--records', '-'];
    const run = await svc(args, { url: wire.url, stdin: '[{"subdomain":"","type":"CAA","value":"x","ttl":1}]' });
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
  });
});

describe('DNSSEC', () => {
  const asking = async (answers: readonly unknown[] | undefined) => {
    const dns = await testDns(({ name, type }) => {
      if (answers === undefined) return undefined;
      return { answers: answers.map((data) => ({ name, type, ttl: 60, data }) as never) };
    });
    const wire = await moving({ ...FOUND, records: RECORDS });
    const run = await svc([...ADD, '--yes'], { url: wire.url, env: { SVC_DNS_SERVER: dns.at } });
    return { run, questions: dns.questions.map(({ name, type }) => `${name} ${type}`) };
  };

  test('that is on is warned of, and the first step is to switch it off', async () => {
    const { run, questions } = await asking([SOME_DS]);
    expect(questions).toEqual(['moved.example DS']);
    expect(run.stderr).toContain(
      'Warning: DNSSEC is on for moved.example. If you switch nameservers while it has a DS',
    );
    expect(run.stdout).toContain('1. Remove the DS record of moved.example at the registrar');
  });

  test('that the scan mentions is a warning and the first step, if the DNS is not asked', async () => {
    const said = 'DNSSEC is on: remove the DS record first.';
    const wire = await moving({ ...FOUND, records: RECORDS, warnings: ['one is odd', said] });
    const { stdout, stderr } = await svc([...ADD, '--yes'], { url: wire.url });
    expect(stderr).toContain(`Warning: ${said}`);
    expect(stdout).toContain('  1. Remove the DS record of moved.example');
    expect(stdout).not.toContain('If DNSSEC');
  });

  test('that is off is not spoken of', async () => {
    const { run } = await asking([]);
    expect(run).toMatchObject({ exitCode: 0, stderr: '' });
    expect(run.stdout).not.toContain('DNSSEC');
  });

  test('that cannot be looked up is a warning and no error', async () => {
    const { run } = await asking(undefined);
    expect(run.exitCode).toBe(0);
    expect(run.stderr).toBe(
      'Warning: svc could not find out whether DNSSEC is on for moved.example (127.0.0.1: no answer in time).\n',
    );
  });

  test('of a reserved name is not asked about, unless a resolver is named', async () => {
    const wire = await moving({ ...FOUND, records: RECORDS });
    expect(await svc([...ADD, '--yes'], { url: wire.url })).toMatchObject({ exitCode: 0, stderr: '' });
  });

  test('a resolver that is no address is a usage error before anything is sent', async () => {
    const wire = await testWire();
    const run = await svc([...ADD, '--yes'], { url: wire.url, env: { SVC_DNS_SERVER: 'http://dns' } });
    expect(run.exitCode).toBe(2);
    expect(run.stderr).toContain('SVC_DNS_SERVER "http://dns" is not a host or an address.');
  });
});

test('a staging is remembered for svc domains status, readable for the user alone', async () => {
  const wire = await moving();
  const configDir = await temporaryFolder();
  await svc([...ADD, '--yes'], { url: wire.url, configDir, clock: fakeClock() });
  expect(JSON.parse(readFileSync(join(configDir, 'domains/moved.example.json'), 'utf8'))).toEqual({
    version: 1,
    domain: 'moved.example',
    nameservers: STAGED.nameservers,
    records: RECORDS,
    service: 'app-1',
    stagedAt: '2026-03-01T12:00:00.000Z',
    file: join(configDir, 'domains/moved.example.2026-03-01.zone'),
  });
});

test('a configuration folder that cannot be written is a warning, and the records are staged', async () => {
  const wire = await moving({ ...FOUND, records: RECORDS });
  const cwd = await folderWith('file', 'in the way');
  const run = await svc([...ADD, '--yes'], { url: wire.url, configDir: join(cwd, 'file', 'below') });
  expect(run.exitCode).toBe(0);
  expect(run.stderr).toMatch(
    /^Warning: svc cannot save the current records of moved\.example \([^)]*\(ENOTDIR\)\)\.\nWarning: svc changes will not show what this command did: [^)]*\(ENOTDIR\)\.\nWarning: svc cannot save what was staged \([^)]*\(ENOTDIR\)\)\. svc domains status will need --nameserver\.\n$/,
  );
  const hosts = STAGED.nameservers.map((name) => ` --nameserver ${name}`).join('');
  expect(run.stdout.replaceAll(/\n {5}/g, ' ')).toContain(`svc domains status moved.example${hosts} --wait`);
});

describe('the zone as it was scanned', () => {
  const folderOf = (configDir: string) => join(configDir, 'domains');
  const saved = (configDir: string) => readdirSync(folderOf(configDir)).filter((name) => name.endsWith('.zone'));
  const caa = { subdomain: '', type: 'CAA', value: '0 issue "ca.example"', ttl: 300 };

  test('is saved before it is staged, with its nameservers, so that a refusal leaves it as well', async () => {
    const wire = await moving({ ...FOUND, records: [...RECORDS, caa] }, { success: false });
    const configDir = await temporaryFolder();
    const run = await svc([...ADD, '--yes', '--skip-invalid'], { url: wire.url, configDir, clock: fakeClock() });
    expect(run.exitCode).toBe(9);
    expect(saved(configDir)).toEqual(['moved.example.2026-03-01.zone']);
    const path = join(folderOf(configDir), 'moved.example.2026-03-01.zone');
    expect(readFileSync(path, 'utf8')).toBe(`; Nameservers at the time of the scan: ns1.old.example, ns2.old.example
; DNS records of moved.example, written by svc; without an SOA record
$ORIGIN moved.example.
$TTL 3600

@ 300 IN A 192.0.2.1
@ 300 IN MX 10 mail.moved.example.
@ 300 IN TXT "v=spf1 mx -all"
; left out, CAA at moved.example: the platform does not support CAA records: ${JSON.stringify(caa)}
`);
    const again = await testWire();
    again.on('POST', STAGE).reply(200, STAGED);
    const back = await svc([...ADD, '--yes', '--records', path], { url: again.url, configDir });
    expect(back.exitCode).toBe(0);
    expect(again.requests[0]?.json).toEqual({ records: RECORDS });
  });

  test.each([
    ['is refused', (wire: Wire) => wire.on('POST', STAGE).reply(422, { error: { records: 'are odd' } }), 3],
    ['is not confirmed', (wire: Wire) => wire.on('POST', STAGE).reply(200, { success: false }), 9],
    ['ends without an answer', (wire: Wire) => wire.on('POST', STAGE).reset(), 8],
  ] as const)('is named once where the staging %s, also with --json', async (_how, plan, exitCode) => {
    for (const flags of [[], ['--json']]) {
      const wire = await testWire();
      wire.on('POST', SCAN).reply(200, FOUND);
      plan(wire);
      const configDir = await temporaryFolder();
      const run = await svc([...ADD, '--yes', ...flags], { url: wire.url, configDir, clock: fakeClock() });
      const path = join(folderOf(configDir), 'moved.example.2026-03-01.zone');
      expect(run.exitCode).toBe(exitCode);
      if (flags.length > 0) expect(run.error['savedZone']).toBe(path);
      else expect(run.stderr.split(`The records as scanned are saved in ${path}`)).toHaveLength(2);
    }
  });

  test.each([[[]], [['--wait']]])(
    'is named after Ctrl-C during the staging and the wait for the switch: %j',
    async (wait) => {
      const wire = await testWire();
      wire.on('POST', SCAN).reply(200, FOUND);
      const dns = await testDns(() => ({ code: SERVFAIL }));
      const clock = fakeClock();
      let interrupt = () => {};
      const plan = wire.on('POST', STAGE);
      if (wait.length > 0) plan.reply(200, STAGED);
      else plan.act(async () => interrupt());
      clock.onSleep(() => interrupt());
      const run = await svc([...ADD, '--yes', ...wait], {
        url: wire.url,
        env: { SVC_DNS_SERVER: dns.at },
        clock,
        onStart: (send) => {
          interrupt = () => send('SIGINT');
        },
      });
      expect(run.exitCode).toBe(130);
      expect(run.stderr).toMatch(/The records as scanned are saved in \S+moved\.example\.2026-03-01\.zone/);
    },
  );

  test('is never replaced by a later scan, and kept once while it does not change', async () => {
    const configDir = await temporaryFolder();
    for (const records of [RECORDS, RECORDS, RECORDS.slice(0, 1)]) {
      const wire = await moving({ ...FOUND, records }, { ...STAGED, stagedRecords: records });
      await svc([...ADD, '--yes'], { url: wire.url, configDir, clock: fakeClock() });
    }
    expect(saved(configDir).sort()).toEqual(['moved.example.2026-03-01-2.zone', 'moved.example.2026-03-01.zone']);
    const first = readFileSync(join(folderOf(configDir), 'moved.example.2026-03-01.zone'), 'utf8');
    expect(first).toContain('v=spf1');
  });

  test('is not saved for records of a file', async () => {
    const configDir = await temporaryFolder();
    const wire = await testWire();
    wire.on('POST', STAGE).reply(200, STAGED);
    const options = { url: wire.url, configDir, stdin: JSON.stringify(RECORDS) };
    expect((await svc([...ADD, '--yes', '--records', '-'], options)).exitCode).toBe(0);
    expect(saved(configDir)).toEqual([]);
  });
});

test('a name that the platform does not find is answered with the name above it', async () => {
  const wire = await testWire();
  wire.on('POST', SCAN).reply(404, { error: 'no zone' });
  const run = await svc(['domains', 'import', 'www.moved.example'], { url: wire.url });
  expect(run.exitCode).toBe(6);
  expect(run.stderr).toContain('A scan needs the apex domain, which may be moved.example.');
  expect(run.stderr).toContain('Try: svc domains import moved.example\n');
});

test('what the scan and svc both warn of is said once', async () => {
  const records = [...RECORDS, { subdomain: '', type: 'CAA', value: '0 issue "ca.example"', ttl: 300 }];
  const warnings = ['A CAA record was found; it cannot be staged.', 'CAA: renew your certificate first.'];
  const wire = await moving({ ...FOUND, records, warnings });
  const run = await svc([...ADD, '--yes', '--skip-invalid'], { url: wire.url });
  expect(run.stderr).toBe(`Warning: 1 CAA record cannot be staged:
  CAA at moved.example: the platform does not support CAA records
Warning: CAA: renew your certificate first.
`);
});
