import { getUser } from '../api/call.ts';
import type { Needs } from '../cli/define/context.ts';
import { defineCommand, printed } from '../cli/define/define.ts';
import { pickAddress } from '../cli/read/pick.ts';
import type { LoginTarget } from '../cli/settings/settings.ts';
import { listSignInVariables } from '../environment.ts';
import { CliError, usageError } from '../errors.ts';
import { asObject, asText, findField } from '../json/values.ts';
import { readExpiry } from '../sign-in/expiry.ts';
import { openCredentials } from '../sign-in/store.ts';
import { listTokenWarnings, parseToken } from '../sign-in/token.ts';
import { toUtf8 } from '../store/files.ts';
import {
  completeLogin,
  LOGIN_OPTIONS,
  type LoginOptions,
  loginByDevice,
  startLogin,
} from './login/device.ts';
import { finishLogin } from './login/show.ts';
import { describeNamed } from './shared/names.ts';

export default defineCommand({
  summary: 'Sign in by approving a code in a browser',
  effect: 'changes',
  options: LOGIN_OPTIONS,
  tool: {
    title: 'Sign in',
    description:
      'Starts a sign-in. Give verificationUriComplete and userCode to the person, and once they approved call login with complete true. About 100 tokens.',
    arguments: { complete: 'finish the sign-in that was started before' },
  },
  examples: [
    ['svc login --api-url https://api.example.com', 'sign in, and remember the address'],
    [
      'svc login --no-wait --json',
      'for agents: show the code and exit; svc login --complete does the rest',
    ],
    ['svc login --with-token < token.txt', 'store a token that you already have'],
  ],
  exitCodes: [
    [2, 'there is nowhere to store the token, or nobody to approve the login; nothing was sent'],
    [
      9,
      'the login was refused, its code expired or is no longer accepted, its answer was lost, or no disk took its token',
    ],
  ],

  async run(context, options) {
    checkCombination(context, options);
    for (const name of listSignInVariables(context.env)) {
      await context.io.warn(
        `${name} is set and will be used instead of this login.`,
        'login_overridden',
      );
    }
    if (options.complete) {
      await completeLogin(context, options);
      return printed();
    }
    const target = await findTarget(context);
    if (options.withToken) await loginWithToken(context, target);
    else if (options.wait) await loginByDevice(context, options, target);
    else await startLogin(context, options, target);
    return printed();
  },
});

function checkCombination(
  { globals }: Needs<'globals'>,
  { withToken, printToken, wait, complete, name }: LoginOptions,
): void {
  const refuse = (message: string): never => {
    throw usageError(message, 'svc login --help');
  };
  const ways = [withToken && '--with-token', complete && '--complete', !wait && '--no-wait'].filter(
    Boolean,
  );
  // With these, no new token comes that could be printed.
  if (printToken && (withToken || !wait)) ways.push('--print-token');
  if (ways.length > 1) refuse(`${ways.join(' and ')} cannot be used together.`);
  if (printToken && globals.json) {
    refuse('--print-token prints the bare token, which --json never shows.');
  }
  if (name !== undefined && (complete || withToken)) {
    refuse(`--name cannot be used with ${ways[0]}.`);
  }
  if (name?.trim() === '') throw usageError('--name is empty.', 'svc login --name "my laptop"');
}

/** Returns where to sign in; a person is asked for an address that nobody has named. */
async function findTarget(
  context: Needs<'io' | 'globals' | 'settings' | 'store'>,
): Promise<LoginTarget> {
  const { io, globals, settings } = context;
  if (!io.interactive || globals.json) return settings.login();
  return settings.login(async () => ({
    value: await pickAddress(context),
    origin: 'flag',
    where: 'The address',
  }));
}

/** The most bytes to read: a token has at most 4096. */
const MAX_INPUT_BYTES = 64 * 1024;

async function loginWithToken(
  context: Needs<'api' | 'io' | 'globals' | 'store' | 'time'>,
  { address, profile }: LoginTarget,
): Promise<void> {
  const { io } = context;
  if (io.stdinIsTty && !io.interactive) {
    throw usageError('--with-token reads a token.', 'svc login --with-token < token.txt');
  }
  const text = io.stdinIsTty
    ? await io.askSecret('API token')
    : toUtf8(await io.readInput(MAX_INPUT_BYTES)).toString('utf8');
  const token = parseToken(text, 'The token on stdin');
  io.redactor.add(token);
  const reservation = openCredentials(context.store.signInPlace()).reserve();
  try {
    const client = await context.api.clientFor({ kind: 'bearer', token, source: 'stdin' }, address);
    const { value } = await getUser(client).catch(explainRefusal);
    const nowMs = context.time.clock.now();
    const { id, expiresAt, name } = asObject(value.token);
    const record = {
      profile,
      baseUrl: address.value,
      token,
      tokenId: asText(id) ?? asText(findField(value.token, 'tokenId')),
      expiresAt: readExpiry(expiresAt),
      organizationId: asText(asObject(value.organization).id),
      email: asText(asObject(value.user).email),
      clientName: asText(name),
      createdAt: new Date(nowMs).toISOString(),
    };
    await finishLogin(context, record, {
      warnings: listTokenWarnings(token, record.expiresAt, nowMs),
      organization: describeNamed(value.organization),
      merge: reservation.keep(record),
    });
  } finally {
    reservation.release();
  }
}

function explainRefusal(error: unknown): never {
  if (!(error instanceof CliError) || error.details.status !== 401) throw error;
  throw new CliError(
    error.code,
    'The platform did not accept the token on stdin. Nothing was stored.',
    {
      ...error.details,
      hint: {
        say: 'Create one in the dashboard: Settings > API tokens.',
        run: ['svc login --with-token'],
      },
    },
  );
}
