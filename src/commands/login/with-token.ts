import { getUser } from '../../api/operations.ts';
import type { Context } from '../../command/context.ts';
import type { LoginTarget } from '../../command/target.ts';
import { CliError } from '../../errors.ts';
import { readExpiry } from '../../login/issued-token.ts';
import { checkToken, tokenWarning } from '../../login/token.ts';
import { asObject, asText } from '../../spec/read.ts';
import { finishLogin } from './finish.ts';

/** Bytes that are read from stdin; a token has 4096 at the most. */
const LARGEST_INPUT = 64 * 1024;

/** Stores a token that the user has, once the service has accepted it. */
export async function loginWithToken(context: Context, { address, profile }: LoginTarget): Promise<void> {
  const {
    io,
    system: { clock },
  } = context;
  const text = io.stdinIsTty ? await io.askSecret('API token') : (await io.readInput(LARGEST_INPUT)).toString('utf8');
  const token = checkToken(text, 'The token on stdin');
  context.io.redactor.add(token);
  const store = await context.vault.store();
  const reserved = store.reserve();
  try {
    const client = await context.api.clientFor({ kind: 'bearer', token, source: 'stdin' }, address);
    const { value } = await getUser(client).catch(explainRefusal);
    const known = asObject(value.token);
    const record = {
      profile,
      baseUrl: address.value,
      token,
      tokenId: asText(known['id']) ?? asText(known['tokenId']),
      expiresAt: readExpiry(known['expiresAt']),
      organizationId: asText(asObject(value.organization)['id']),
      email: asText(asObject(value.user)['email']),
      clientName: asText(known['name']),
      createdAt: new Date(clock.now()).toISOString(),
    };
    const warning = tokenWarning(token, 'The token');
    await finishLogin(context, record, {
      warnings: warning === undefined ? [] : [warning],
      printToken: false,
      reserved,
    });
  } finally {
    reserved.release();
  }
}

function explainRefusal(error: unknown): never {
  if (!(error instanceof CliError) || error.details.status !== 401) throw error;
  const message = 'The service did not accept the token on stdin. Nothing was stored.';
  throw new CliError(error.code, message, { ...error.details, hint: 'a valid token from Settings > API tokens' });
}
