import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { ISSUED, START } from '../../support/device-login.ts';
import { builtProgram, type Program } from '../../support/program.ts';
import { writeNamesSeen } from '../../support/stored.ts';
import { until, untilWritten } from '../../support/until.ts';
import { send, type WirePlan } from '../../support/wire-plan.ts';
import { newStage } from './stage.ts';

let program: Program;
beforeAll(async () => {
  program = await builtProgram();
});

const CTRL_C = '\u0003';
/** How long svc is stopped: more polls are missed than come. Its clock is the real one, because it is a process. */
const THREE_INTERVALS_MS = 3_500;
/** What the platform says of the account once the login is stored. */
const ACCOUNT = { organization: { id: 'org_1', name: 'Kola Studio' } };
const PENDING = { error: 'authorization_pending' };
const HIDE = '\u001b[?25l';
const SHOW = '\u001b[?25h';

/** What a terminal shows, without what moves and colours it. */
function wordsOf(output: string): string {
  return output.replaceAll('\r', '').replace(/\u001b\[[\d;?]*[A-Za-z]/g, '');
}

/** The same on one line. */
function lineOf(output: string): string {
  return wordsOf(output).replace(/\s+/g, ' ');
}

/** The next poll is answered when the test says so. */
function heldPoll(poll: WirePlan) {
  let arrived = () => {};
  let approve = () => {};
  const asked = new Promise<void>((resolve) => {
    arrived = resolve;
  });
  const approved = new Promise<void>((resolve) => {
    approve = resolve;
  });
  poll.act(async ({ response }) => {
    arrived();
    await approved;
    send(response, 200, ISSUED);
  });
  return { asked, approve: () => approve() };
}

describe.concurrent('a person at a terminal', () => {
  test('sees the code and the links before the browser, then how much time is left', async (context) => {
    const { wire, poll, terminal, configDir, tokens } = await newStage(context, program);
    wire.on('GET', '/v1/user').reply(200, ACCOUNT);
    const { asked, approve } = heldPoll(poll);
    mkdirSync(configDir, { recursive: true });
    const opener = join(configDir, 'opener');
    writeFileSync(opener, `#!/bin/sh\necho "$@" "$(env | grep -c '^SVC_.*TOKEN') tokens" >> '${opener}.opened'\n`);
    chmodSync(opener, 0o755);
    const login = terminal(['login', '--name', 'marie-laptop'], {
      env: {
        BROWSER: opener,
        SVC_TOKEN: 'svc_CANARY_env',
        SVC_TOKEN_FILE: '/run/secrets/svc',
        SVC_SESSION_TOKEN: 'a-session',
      },
    });
    await asked;
    await login.shows('left, Ctrl-C cancels');
    expect(await untilWritten(`${opener}.opened`)).toBe(`${START.verificationUriComplete} 0 tokens\n`);
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

  test('reads that no browser could be opened, and can continue by hand', async (context) => {
    const { wire, poll, terminal } = await newStage(context, program);
    wire.on('GET', '/v1/user').reply(200, ACCOUNT);
    poll.reply(400, PENDING).reply(200, ISSUED);
    const login = terminal(['login'], { env: { BROWSER: '/bin/false' } });
    await login.shows('Could not open a browser. Use the link above.');
    expect(await login.ended()).toBe(0);
  });

  test('copies the code with c, and opens the page again with Enter', async (context) => {
    const { wire, poll, terminal, configDir } = await newStage(context, program);
    wire.on('GET', '/v1/user').reply(200, ACCOUNT);
    const { asked, approve } = heldPoll(poll);
    mkdirSync(configDir, { recursive: true });
    const opener = join(configDir, 'opener');
    writeFileSync(opener, `#!/bin/sh\necho "$@" >> '${opener}.opened'\n`);
    chmodSync(opener, 0o755);
    const opened = () =>
      existsSync(`${opener}.opened`) ? readFileSync(`${opener}.opened`, 'utf8').split('\n').length - 1 : 0;
    const login = terminal(['login'], { env: { BROWSER: opener } });
    await asked;
    await login.shows('left, Ctrl-C cancels');
    login.type('xc');
    await login.shows(`\u001b]52;c;${Buffer.from('WDJB-MJHT').toString('base64')}\u0007`);
    await login.shows('Copied.');
    login.type('\r');
    await until(() => opened() === 2);
    approve();
    expect(await login.ended()).toBe(0);
  });

  test('is asked for the address that nothing names, and need not type its scheme', async (context) => {
    const { wire, poll, terminal, tokens } = await newStage(context, program);
    wire.on('GET', '/v1/user').reply(200, ACCOUNT);
    poll.reply(200, ISSUED);
    const login = terminal(['login', '--no-browser'], { env: { SVC_API_URL: '' } });
    await login.shows('Platform address');
    expect(lineOf(login.output())).toContain('svc sandbox lets you try everything on this machine.');
    login.type('http://api.example.com\r');
    await login.shows('is plain http');
    login.type(`\u0015127.0.0.1:${wire.port}\r`);
    expect(await login.ended(), login.output()).toBe(0);
    expect(tokens()).toEqual([ISSUED.token]);
  });

  test('is offered the addresses that this machine has seen', async (context) => {
    const { wire, poll, terminal, configDir } = await newStage(context, program);
    wire.on('GET', '/v1/user').reply(200, ACCOUNT);
    poll.reply(200, ISSUED);
    mkdirSync(configDir, { recursive: true });
    writeNamesSeen(configDir, { [wire.url]: {} });
    const login = terminal(['login', '--no-browser'], { env: { SVC_API_URL: '' } });
    await login.shows('Enter an address…');
    login.type('\r');
    expect(await login.ended(), login.output()).toBe(0);
  });

  test('may type a token that they have; it is not shown', async (context) => {
    const { wire, terminal, tokens } = await newStage(context, program, null);
    wire.on('GET', '/v1/user').reply(200, { user: { email: 'marie@example.com' } });
    const login = terminal(['login', '--with-token']);
    await login.shows('API token');
    login.type(`${ISSUED.token}\r`);
    expect(await login.ended()).toBe(0);
    expect(login.output()).not.toContain('CANARY');
    expect(login.output()).toContain('Signed in as marie@example.com');
    expect(tokens()).toEqual([ISSUED.token]);
  });
});

describe.concurrent('Ctrl-C', () => {
  test('while waiting ends it, with the cursor back and nothing left behind', async (context) => {
    const { poll, wire, terminal, files } = await newStage(context, program);
    poll.always(400, PENDING);
    const login = terminal(['login']);
    await wire.nextRequest();
    await wire.nextRequest();
    await login.shows('left, Ctrl-C cancels');
    login.type(CTRL_C);
    expect(await login.ended()).toBe(130);
    expect(lineOf(login.output())).toContain('Login cancelled. Do not approve code WDJB-MJHT.');
    expect(login.output().lastIndexOf(SHOW)).toBeGreaterThan(login.output().lastIndexOf(HIDE));
    expect(files()).toEqual([]);
  });

  test('just before the token arrives: it is still stored', async (context) => {
    const { poll, terminal, tokens } = await newStage(context, program);
    const { asked, approve } = heldPoll(poll);
    const login = terminal(['login']);
    await asked;
    login.type(CTRL_C);
    await login.shows('waiting 2 s for the answer');
    approve();
    expect(await login.ended()).toBe(130);
    expect(lineOf(login.output())).toContain(
      'Approved just before you cancelled: signed in as marie@example.com (svc logout to undo).',
    );
    expect(tokens()).toEqual([ISSUED.token]);
  });

  test('twice ends it, and names what may exist at the platform', async (context) => {
    const { poll, terminal, files } = await newStage(context, program);
    const { asked } = heldPoll(poll);
    const login = terminal(['login', '--name', 'laptop']);
    await asked;
    login.type(CTRL_C);
    await login.shows('waiting 2 s for the answer');
    login.type(CTRL_C);
    expect(await login.ended()).toBe(130);
    expect(lineOf(login.output())).toContain('a token named "laptop" may exist');
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

  test('that stops svc and lets it go on: the polls that it missed are not made up for', async (context) => {
    const { poll, wire, terminal } = await newStage(context, program);
    wire.on('GET', '/v1/user').reply(200, ACCOUNT);
    poll.reply(400, PENDING).reply(400, PENDING).reply(200, ISSUED);
    const login = terminal(['login', '--no-browser']);
    await wire.nextRequest();
    await wire.nextRequest();
    login.signal('SIGSTOP');
    await sleep(THREE_INTERVALS_MS);
    login.signal('SIGCONT');
    expect(await login.ended()).toBe(0);
    // One start and three polls: what was missed is not made up for.
    expect(wire.requests.filter(({ method }) => method === 'POST')).toHaveLength(4);
  });
});
