import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { execa } from 'execa';
import { beforeAll, expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');

/**
 * What is made of the OpenAPI document that Kubernetes publishes: types, which know every field, and validators, which know
 * the values. With a reader of YAML; not part of `npm ci`.
 */
const TOOLS = ['kubernetes-types@1.30.0', 'kubernetes-models@5.1.0', 'yaml@2.9.1'];
const FOLDER = join(ROOT, 'node_modules/.cache/kubernetes');

beforeAll(async () => {
  await execa('npm', ['install', '--prefix', FOLDER, '--ignore-scripts', '--no-audit', ...TOOLS]);
});

/** Says what is wrong with a manifest of a CronJob; empty if nothing is. */
async function faultsOf(manifest: string): Promise<string> {
  const from = (path: string) => import(pathToFileURL(join(FOLDER, 'node_modules', path)).href);
  const { parse } = await from('yaml/dist/index.js');
  const { CronJob } = await from('kubernetes-models/batch/v1/CronJob.js');
  const job = parse(manifest);
  try {
    new CronJob(job).validate();
  } catch (error) {
    return String(error);
  }
  const program = join(FOLDER, 'manifest.ts');
  const head = "import type { CronJob } from 'kubernetes-types/batch/v1';";
  await writeFile(program, `${head}\nexport const job: CronJob = ${JSON.stringify(job, null, 2)};\n`);
  const tsc = join(ROOT, 'node_modules/.bin/tsc');
  const options = ['--noEmit', '--strict', '--ignoreConfig', '--module', 'nodenext', '--types', ''];
  const { all } = await execa(tsc, [...options, program], { cwd: FOLDER, all: true, reject: false });
  return all;
}

const MANIFEST = readFileSync(join(ROOT, 'ci/kubernetes/cronjob.yml'), 'utf8');

test('the CronJob is one, by what Kubernetes publishes', async () => {
  expect(await faultsOf(MANIFEST)).toBe('');
});

test.each([
  ['backoffLimit:', 'backofLimit:'],
  ['concurrencyPolicy: Forbid', 'concurrencyPolicy: Never'],
  ['apiVersion: batch/v1', 'apiVersion: batch/v1beta1'],
  ['schedule:', 'cron:'],
  ['activeDeadlineSeconds: 7200', "activeDeadlineSeconds: '7200'"],
  ['readOnlyRootFilesystem:', 'readOnlyRootFileSystem:'],
])('%s in place of %s would be found', async (right, wrong) => {
  expect(MANIFEST).toContain(right);
  expect(await faultsOf(MANIFEST.replace(right, wrong))).toMatch(
    /manifest\.ts\(\d+,\d+\): error TS\d+|must (?:be|have)/,
  );
});
