import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { parseFault, type Sandbox, startSandbox } from '../../sandbox/server.ts';
import { figure } from '../support/figure.ts';
import { lifetimes } from '../support/lifetimes.ts';
import { builtProgram, type Program } from '../support/program.ts';
import { isSoak, tries } from '../support/property.ts';
import { temporaryFolder } from '../support/svc.ts';

const { numRuns, seed } = tries(75, 20_260_302);

/** Buyers at the same time; they share one configuration folder. */
const LANES = 3;

let program: Program;
beforeAll(async () => {
  program = await builtProgram();
});

/** What a process left when it was gone. */
interface End {
  readonly killed: boolean;
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

test(`${numRuns} buyers killed at any moment have one order each when they have gone on (seed ${seed})`, async () => {
  const sandbox = await startSandbox({ port: 0, faults: faultsOf(numRuns * 4) });
  onTestFinished(() => sandbox.close());
  const configDir = await temporaryFolder();
  const lives = lifetimes();
  const run = async (argv: readonly string[], killAfterMs?: number) => {
    const ended = lives.start();
    const end = await svc(argv, sandbox, configDir, killAfterMs);
    if (!end.killed) ended();
    return end;
  };
  await run([...commandOf(-1), '--dry-run']);
  // From before the first line of the program to after its last: a purchase takes longer than a dry run.
  const moments = fc.sample(fc.double({ min: 0.2, max: 3, noNaN: true }), { numRuns: numRuns * 2, seed });
  const ways = fc.sample(fc.boolean(), { numRuns: numRuns * 4, seed: seed + 1 });
  const orders: string[] = [];
  let kills = 0;

  const buy = async (intent: number): Promise<void> => {
    let kill: number | undefined = (moments.pop() ?? 1) * lives.shortest();
    for (;;) {
      const end = await run(ways.pop() ? goOn(configDir, intent) : commandOf(intent), kill);
      if (end.killed) kills += 1;
      else expect([0, 8], end.stderr).toContain(end.exitCode);
      // Who has the whole answer has no reason to ask again, whatever became of the process.
      if (end.stdout.endsWith('}\n')) return void orders.push(JSON.parse(end.stdout).orderId);
      expect(end.stdout).toBe('');
      kill = kill !== undefined && ways.pop() ? (moments.pop() ?? 1) * lives.shortest() : undefined;
    }
  };
  const lanes = Array.from({ length: LANES }, async (_, lane) => {
    for (let intent = lane; intent < numRuns; intent += LANES) await buy(intent);
  });
  await Promise.all(lanes);

  const made = sandbox.snapshot().orders.map(({ answer }) => answer.orderId);
  expect(made).toHaveLength(numRuns);
  expect(new Set(orders)).toEqual(new Set(made));
  expect(orders).toHaveLength(numRuns);
  if (isSoak) expect(kills).toBeGreaterThan(0);
  let last = await run(commandOf(numRuns));
  // Until the faults are used up.
  while (last.exitCode === 8) last = await run(commandOf(numRuns));
  expect(last.exitCode, last.stderr).toBe(0);
  const kept = ['cache.json', 'changes.ndjson', 'orders.json'];
  expect(
    readdirSync(configDir).filter((name) => !kept.includes(name)),
    'what the killed left',
  ).toEqual([]);
  figure('Purchases killed', numRuns, `${kills} kills, seed ${seed}`);
}, 900_000);

/** Answers that take a moment, so that many die while they wait for one; and some that get lost. */
function faultsOf(requests: number) {
  const fates = fc.sample(fc.constantFrom('delay=60ms', 'delay=20ms', 'drop-after', '500-after', ''), {
    numRuns: requests,
    seed: seed + 2,
  });
  return fates.flatMap((fate, index) => (fate === '' ? [] : [parseFault(`buy:${fate}*1,skip=${index}`)]));
}

function commandOf(intent: number): readonly string[] {
  const payer = ['--network', 'mtn', '--phone', '+237670000042'];
  return ['buy', '--plan', 'plan_wp_pro', '--label', `order <${intent}>`, ...payer, '--yes', '--json'];
}

/** The command that resumes the journal's entry, or else the first one again. */
function goOn(configDir: string, intent: number): readonly string[] {
  const open = readJournal(configDir).find(({ state, summary }) => state === 'open' && summary.includes(`<${intent}>`));
  return open === undefined ? commandOf(intent) : ['buy', '--resume', open.key, '--yes', '--json'];
}

function readJournal(configDir: string): ReadonlyArray<{ key: string; state: string; summary: string }> {
  try {
    return JSON.parse(readFileSync(join(configDir, 'orders.json'), 'utf8')).orders;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

async function svc(argv: readonly string[], sandbox: Sandbox, configDir: string, killAfterMs?: number): Promise<End> {
  const [node, script] = program.command;
  const child = spawn(node, [script, ...argv], options(sandbox, configDir));
  const timer = killAfterMs === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), killAfterMs);
  const end = await endOf(child);
  clearTimeout(timer);
  return end;
}

function options(sandbox: Sandbox, configDir: string) {
  const env = {
    PATH: process.env['PATH'],
    LANG: 'C.UTF-8',
    SVC_API_URL: sandbox.url,
    SVC_TOKEN: sandbox.token,
    SVC_CONFIG_DIR: configDir,
  };
  return { env, stdio: ['ignore', 'pipe', 'pipe'] as ['ignore', 'pipe', 'pipe'] };
}

async function endOf(child: ChildProcess): Promise<End> {
  onTestFinished(() => void child.kill('SIGKILL'));
  const [stdout, stderr] = [textOf(child.stdout), textOf(child.stderr)];
  const [exitCode, signal] = await new Promise<[number | null, string | null]>((resolve) => {
    child.on('close', (code, killedBy) => resolve([code, killedBy]));
  });
  return { killed: signal === 'SIGKILL', exitCode, stdout: await stdout, stderr: await stderr };
}

async function textOf(stream: ChildProcess['stdout']): Promise<string> {
  const chunks: Buffer[] = [];
  if (stream?.destroyed) return '';
  for await (const chunk of stream ?? []) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}
