import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { ISSUED, START } from '../../support/device-login.ts';
import { builtProgram, type Program } from '../../support/program.ts';
import { until, untilWritten } from '../../support/until.ts';
import { send, type WirePlan } from '../../support/wire-plan.ts';
import { newStage } from './stage.ts';

let program: Program;
beforeAll(async () => {
  program = await builtProgram();
});

const PENDING = { error: 'authorization_pending' };
const HIDE = '\u001b[?25l';
const SHOW = '\u001b[?25h';

/** The next poll is answered when the test says so. */
function heldPoll(poll: WirePlan) {
  let [arrived, approve] = [() => {}, () => {}];
  const asked = new Promise<void>((resolve) => {
    arrived = resolve;
  });
  poll.act(({ response }) => {
    approve = () => send(response, 200, ISSUED);
    arrived();
  });
  return { asked, approve: () => approve() };
}

describe.concurrent('a person at a terminal', () => {
  test('sees the code and the time that is left; the browser gets no token, and no shell', async (context) => {
    const start = { ...START, verificationUriComplete: 'https://example.com/device?a=$(id)&b' };
    const { poll, terminal, configDir, tokens } = await newStage(context, program, start);
    const { asked, approve } = heldPoll(poll);
    mkdirSync(configDir, { recursive: true });
    const opener = join(configDir, 'opener');
    writeFileSync(
      opener,
      `#!/bin/sh\necho "$@" "$(env | grep -c '^SVC_.*TOKEN') tokens" >> '${opener}.opened'\n`,
    );
    chmodSync(opener, 0o755);
    const secrets = {
      SVC_TOKEN: 'svc_CANARY_env',
      SVC_TOKEN_FILE: '/run/secrets/svc',
      SVC_SESSION_TOKEN: 'a-session',
    };
    const login = terminal(['login'], { env: { BROWSER: opener, ...secrets } });
    await asked;
    await login.shows('left, Ctrl-C cancels');
    const page = `${start.verificationUriComplete} 0 tokens\n`;
    expect(await untilWritten(`${opener}.opened`)).toBe(page);
    approve();
    expect(await login.ended()).toBe(0);
    expect(login.output().lastIndexOf(SHOW)).toBeGreaterThan(login.output().lastIndexOf(HIDE));
    expect(tokens()).toEqual([ISSUED.token]);
  });

  test('reads that no browser could be opened; Ctrl-C brings the cursor back, and leaves nothing', async (context) => {
    const { poll, terminal, files } = await newStage(context, program);
    poll.maybe(400, PENDING);
    const login = terminal(['login'], { env: { BROWSER: '/bin/false' } });
    await login.shows('Could not open a browser. Use the link above.');
    await login.shows('left, Ctrl-C cancels');
    login.type('\u0003');
    expect(await login.ended()).toBe(130);
    expect(login.output()).toContain('Do not approve code WDJB-MJHT.');
    expect(login.output().lastIndexOf(SHOW)).toBeGreaterThan(login.output().lastIndexOf(HIDE));
    expect(files()).toEqual([]);
  });

  test('may close it while the token arrives: it is still stored', async (context) => {
    const { poll, terminal, configDir } = await newStage(context, program);
    const { asked, approve } = heldPoll(poll);
    const login = terminal(['login']);
    await asked;
    login.hangUp();
    approve();
    const file = join(configDir, 'credentials.json');
    await until(() => existsSync(file) && readFileSync(file, 'utf8').includes(ISSUED.token));
  });
});
