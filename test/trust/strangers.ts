import * as fs from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, onTestFinished, test } from 'vitest';
import { figure } from '../support/figure.ts';
import { IN_MEMORY, type RunOptions, svc } from '../support/svc.ts';
import { send } from '../support/wire-plan.ts';
import { testService } from './service.ts';

/** Whether files can change hands here. */
export const IS_ROOT = process.getuid?.() === 0;
/** Root can give files to others; then neither the user nor the stranger is root. */
export const USER = IS_ROOT ? 1_001 : (process.getuid?.() ?? -1);
/** Another user. */
export const STRANGER = 1_002;
/** Whose files count as the user's own. */
export const ROOT = 0;

/** A text without its line breaks. */
export const flat = (text: string): string => text.replaceAll(/\s+/g, ' ');

/** Gives a path to somebody. The mode of a link does not matter. */
export function give(path: string, uid: number, mode: number): void {
  if (IS_ROOT) fs.lchownSync(path, uid, uid);
  if (!fs.lstatSync(path).isSymbolicLink()) fs.chmodSync(path, mode);
}

/** A user with a project and a configuration folder, their service, and one that waits for their token. */
export type Stage = Awaited<ReturnType<typeof newStage>>;

/** Sets the stage for the running test; everybody's rights are as they should be. */
export async function newStage() {
  const root = fs.mkdtempSync(join(IN_MEMORY, 'svc-strangers-'));
  onTestFinished(() => fs.rmSync(root, { recursive: true, force: true }));
  const [config, cwd] = [join(root, 'config'), join(root, 'project', 'src')];
  fs.mkdirSync(config);
  fs.mkdirSync(cwd, { recursive: true });
  for (const folder of [root, dirname(cwd), cwd]) give(folder, USER, 0o755);
  give(config, USER, 0o700);
  const [own, trap] = [await testService(), await testService()];
  for (const service of [own, trap]) {
    const answer = { user: { email: 'marie@example.com' }, success: true, orderId: 'ord_1' };
    service.expect(({ response }) => send(response, 200, answer));
  }
  return {
    ...{ root, config, cwd, own, trap },
    /** Writes a file and gives it to somebody. */
    file(path: string, content: unknown, uid = USER, mode = 0o600): string {
      fs.writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
      give(path, uid, mode);
      return path;
    },
    link(path: string, target: string, uid = USER): void {
      fs.symlinkSync(target, path);
      give(path, uid, 0o777);
    },
    /** What a run prints, without its line breaks. */
    async run(argv: readonly string[], options?: RunOptions) {
      const run = await svc(argv, { configDir: config, cwd, uid: USER, ...options });
      const { exitCode, stdout, stderr } = run;
      return { exitCode, stdout: flat(stdout), stderr: flat(stderr), errorOf: () => run.error };
    },
  };
}

/** The user's token, which no other address may see. */
export const TOKEN = { SVC_TOKEN: 'svc_CANARY_env' };
/** An order that nobody is asked about. */
export const BUY = ['buy', '--plan', 'plan_1', '--network', 'mtn', '--phone', '+237670000042', '--yes'];

/** A set-up by name; `needsRoot` where files change hands. */
export type Layout = readonly [title: string, needsRoot: boolean, make: (stage: Stage) => void];

/**
 * For the tests of a file that are about layouts: each sets the stage, makes one of them, and checks it. Layouts that
 * this user cannot set up are left out.
 */
export function layoutTests() {
  let count = 0;
  afterAll(() => figure('Files of others', count, IS_ROOT ? undefined : 'without root'));
  return (title: string, layouts: readonly Layout[], check: (stage: Stage, name: string) => Promise<void>) =>
    test.each(layouts.filter(([, needsRoot]) => IS_ROOT || !needsRoot))(title, async (name, _needsRoot, make) => {
      const stage = await newStage();
      make(stage);
      await check(stage, name);
      count += 1;
    });
}
