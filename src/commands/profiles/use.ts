import type { Context } from '../../command/context.ts';
import type { Attach, Declaration } from '../../command/declaration.ts';
import { document, type Result } from '../../command/result.ts';
import type { Screen } from '../../io/screen.ts';
import { type CredentialRecord, isAt } from '../../login/credentials/records.ts';
import { type Override, showOverride } from '../shared/override.ts';

export interface UseOptions {
  readonly name: string;
}

interface Used {
  readonly profile: string;
  readonly baseUrl: string;
  readonly overriddenBy: Override | null;
}

export function define(parent: Declaration, attach: Attach): void {
  const command = parent
    .command('use')
    .description('Make a stored sign-in the current one')
    .argument('<name>', 'name of the profile');
  attach(command, {
    run,
    human,
    examples: [
      ['svc profiles use work', 'every later command uses this sign-in'],
      ['svc whoami --profile work', 'or use it for a single command'],
    ],
  });
}

export async function run(context: Context, { name }: UseOptions): Promise<Result<Used>> {
  const store = await context.store();
  const record = await store.use(name);
  const { profile, baseUrl } = record;
  return document({ profile, baseUrl, overriddenBy: variableFor(context.env, record) });
}

export function human(screen: Screen, { profile, baseUrl, overriddenBy }: Used): void {
  screen.success(`${profile} is the current profile: ${baseUrl}`);
  showOverride(screen, overriddenBy);
}

/** The variable that makes commands here use another profile than the current one. */
function variableFor(env: Context['env'], record: CredentialRecord): Override | null {
  const { SVC_PROFILE: named, SVC_API_URL: address } = env;
  if (named && named !== record.profile) return { where: 'SVC_PROFILE', value: named };
  return address && !isAt(record, address) ? { where: 'SVC_API_URL', value: address } : null;
}
