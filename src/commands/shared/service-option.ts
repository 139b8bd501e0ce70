import { option, optional } from '../../command/parameters.ts';

const MEANING = 'id of the service (default: SVC_SERVICE, or the linked one)';

/** `--service <id>`: which service a command works on. */
export const SERVICE_OPTION = { service: option('id', MEANING, undefined, { offer: 'services' }) };

/** `[service]`, for commands that take the id as an argument or, like all others, as `--service <id>`. */
export const SERVICE_ARGUMENT = { service: optional(MEANING, { offer: 'services' }) };
