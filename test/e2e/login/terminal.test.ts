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

const CTRL_C = '\u0003';
/** What the platform says of the account once the login is stored. */
const ACCOUNT = { organization: { id: 'org_1', name: 'Kola Studio' } };
const PENDING = { error: 'authorization_pending' };
const HIDE = '\u001b[?25l';
const SHOW = '\u001b[?25h';

/** What a terminal shows, without what moves and colours it. */
function wordsOf(output: string): string {
  return output.replaceAll('\r', '').replace(/\u001b\[[\d;?]*[A-Za-z]/g, '');
}

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
  test('sees the code and the links before the browser, how much time is left, and has two keys', async (context) => {
    const { wire, poll, terminal, configDir, tokens } = await newStage(context, program);
    wire.on('GET', '/v1/user').reply(200, ACCOUNT);
    const { asked, approve } = heldPoll(poll);
    mkdirSync(configDir, { recursive: true });
    const opener = join(configDir, 'opener');
    writeFileSync(opener, `#!/bin/sh\necho "$@" "$(env | grep -c '^SVC_.*TOKEN') tokens" >> '${opener}.opened'\n`);
    chmodSync(opener, 0o755);
    const secrets = { SVC_TOKEN: 'svc_CANARY_env', SVC_TOKEN_FILE: '/run/secrets/svc', SVC_SESSION_TOKEN: 'a-session' };
    const login = terminal(['login', '--name', 'marie-laptop'], { env: { BROWSER: opener, ...secrets } });
    await asked;
    await login.shows('left, Ctrl-C cancels');
    const page = `${START.verificationUriComplete} 0 tokens\n`;
    expect(await untilWritten(`${opener}.opened`)).toBe(page);
    login.type('xc');
    await login.shows(`\u001b]52;c;${Buffer.from('WDJB-MJHT').toString('base64')}\u0007`);
    await login.shows('Copied.');
    login.type('\r');
    await until(() => readFileSync(`${opener}.opened`, 'utf8') === page + page);
    approve();
    expect(await login.ended()).toBe(0);
    const words = wordsOf(login.output());
    const inOrder = [
      'Sign in to http',
      'Your code   WDJB-MJHT \n',
      '1. Open https://example.com/device?code=WDJB-MJHT or, on another device,\n     https://example.com/device\n',
      '2. Check that it shows this code, and that the device is marie-laptop\n',
      'Opening your browser. If nothing opens, use the link above.',
      '! Only approve a login you started yourself. Never approve a code someone sent\n',
      'Press c to copy the code, Enter to open the page again.\n',
      'Waiting... 1',
      'Signed in as marie@example.com\n',
      'Organization  Kola Studio (org_1)\n',
      'Valid until   30 May 2026\n',
      'Stored in     ~/config/credentials.json\n',
      'svc link\n',
    ];
    const places = inOrder.map((text) => words.indexOf(text));
    expect(places, words).not.toContain(-1);
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(login.output().lastIndexOf(SHOW)).toBeGreaterThan(login.output().lastIndexOf(HIDE));
    expect(tokens()).toEqual([ISSUED.token]);
  });

  test('reads that no browser could be opened; Ctrl-C brings the cursor back, and leaves nothing', async (context) => {
    const { poll, terminal, files } = await newStage(context, program);
    poll.maybe(400, PENDING);
    const login = terminal(['login'], { env: { BROWSER: '/bin/false' } });
    await login.shows('Could not open a browser. Use the link above.');
    await login.shows('left, Ctrl-C cancels');
    login.type(CTRL_C);
    expect(await login.ended()).toBe(130);
    expect(wordsOf(login.output())).toContain('Login cancelled. Do not approve code WDJB-MJHT.');
    expect(login.output().lastIndexOf(SHOW)).toBeGreaterThan(login.output().lastIndexOf(HIDE));
    expect(files()).toEqual([]);
  });
});

describe.concurrent('a terminal', () => {
  test('that is closed while the token arrives: it is still stored', async (context) => {
    const { wire, poll, terminal, configDir } = await newStage(context, program);
    // The hangup may come before or after the request for the name of the organization.
    wire.on('GET', '/v1/user').maybe(200, ACCOUNT);
    const { asked, approve } = heldPoll(poll);
    const login = terminal(['login']);
    await asked;
    login.hangUp();
    approve();
    const file = join(configDir, 'credentials.json');
    await until(() => existsSync(file) && readFileSync(file, 'utf8').includes(ISSUED.token));
  });

  test('that says it has no columns gets a few lines, and Ctrl-C works', async (context) => {
    const { poll, wire, terminal } = await newStage(context, program);
    poll.always(400, PENDING);
    const login = terminal(['login', '--no-browser'], { before: 'stty cols 0 rows 0' });
    for (let requests = 0; requests < 4; requests += 1) await wire.nextRequest();
    login.type(CTRL_C);
    expect(await login.ended()).toBe(130);
    expect(login.output().length).toBeLessThan(1_500);
    expect(login.output()).toContain('WDJB-MJHT');
    expect(login.output()).not.toContain(HIDE);
  });
});
