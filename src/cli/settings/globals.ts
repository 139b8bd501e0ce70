import { checkSwitches, type Env, isOn } from '../../environment.ts';
import { flag, type Options, off, option, readOptions, type Texts } from '../values/parameters.ts';
import { notBlank } from '../values/text.ts';
import { parseDuration } from '../values/time.ts';

/** The values of {@link GLOBAL_OPTIONS}; `jq` implies `json`. */
export type Globals = ReturnType<typeof readGlobals>;

/** The limit for all requests of a command together, without `--timeout`. */
export const DEFAULT_TIMEOUT_SECONDS = 90;

/** Typed before or after the name of any command. */
export const GLOBAL_OPTIONS = {
  json: flag("print the API's JSON, unchanged"),
  jq: option('filter', 'filter the JSON with jq; strings print without quotes', notBlank),
  apiUrl: option('url', 'address of the platform [SVC_API_URL]', notBlank),
  org: option(
    'id|slug',
    'use this organization [SVC_ORG]',
    (text, field) => notBlank(text, field).trim(),
    {
      offer: 'organizations',
    },
  ),
  profile: option('name', 'use this stored sign-in [SVC_PROFILE]', notBlank, { offer: 'profiles' }),
  yes: flag('confirm without asking', { short: 'y' }),
  input: off('never ask a question [SVC_NO_INPUT]'),
  quiet: flag('print results and errors only', { short: 'q' }),
  debug: flag('show requests and traces, without secrets [SVC_DEBUG]'),
  color: off('print without colours [NO_COLOR]'),
  retry: off('do not retry failed requests [SVC_NO_RETRY]'),
  timeout: option('duration', 'give up after this long (default: 90s)', parseDuration),
} as const satisfies Options;

/** Reads options first, then the environment. Throws a usage error. */
export function readGlobals(texts: Texts, env: Env) {
  checkSwitches(env);
  const { json, input, color, timeout, ...given } = readOptions(GLOBAL_OPTIONS, texts);
  return {
    ...given,
    json: json || given.jq !== undefined,
    noInput: !input || isOn(env['SVC_NO_INPUT']),
    debug: given.debug || isOn(env['SVC_DEBUG']),
    noColor: !color,
    retry: given.retry && !isOn(env['SVC_NO_RETRY']),
    timeoutSeconds: timeout ?? DEFAULT_TIMEOUT_SECONDS,
  };
}
