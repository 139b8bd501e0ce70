// Runs on Windows: starts the programs of a list and writes down how each of them ended.
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

const [list, result] = process.argv.slice(2);
const steps = JSON.parse(readFileSync(list, 'utf8'));

function run({ words: [program, ...args], input = '', cwd, env = {}, unset = [], killAfterMs, verbatim = false }) {
  const own = { ...process.env, ...env };
  for (const name of unset) delete own[name];
  const text = input.replace('$SVC_TOKEN', process.env.SVC_TOKEN ?? '');
  const bytes = Buffer.from(text, 'utf8');
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd, env: own, windowsVerbatimArguments: verbatim });
    const written = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr']) {
      child[name].setEncoding('utf8').on('data', (part) => {
        written[name] += part;
      });
    }
    child.stdin.on('error', () => undefined).end(bytes);
    if (killAfterMs !== undefined) setTimeout(() => child.kill('SIGKILL'), killAfterMs);
    child.on('error', ({ code }) => resolve({ exitCode: -1, ...written, stderr: code }));
    child.on('close', (code, signal) => resolve({ exitCode: signal ? -2 : code, ...written }));
  });
}

const ends = [];
const runAll = async (stage, lanes) => {
  const mine = steps.flatMap((step, index) => (step.stage === stage ? [index] : []));
  const lane = async () => {
    for (let index = mine.shift(); index !== undefined; index = mine.shift()) ends[index] = await run(steps[index]);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
};
await runAll('before', 1);
await runAll(undefined, Number(process.env.LANES));
await runAll('after', 1);
writeFileSync(result, JSON.stringify(ends));
