import { CliError } from '../errors.ts';
import { TOKEN_PREFIX } from '../spec/operations.ts';

/** Longest token that is accepted, in characters. */
const LONGEST_TOKEN = 4096;

/**
 * Checks the text of a token and returns it without the white space around it.
 * @param source what gave it, as a person would name it, such as `SVC_TOKEN`
 * @throws CliError `unauthenticated`, without repeating the text; nothing was sent.
 */
export function checkToken(text: string, source: string): string {
  const token = text.trim();
  const refuse = (reason: string): CliError =>
    new CliError('unauthenticated', `${source} ${reason}`, {
      hint: 'svc login, or a token from Settings > API tokens',
    });
  if (token === '') throw refuse('is blank.');
  if (token.length > LONGEST_TOKEN) throw refuse(`is longer than ${LONGEST_TOKEN} characters, so it is no token.`);
  if (!isUsableToken(token)) throw refuse('holds spaces or characters that no token has.');
  return token;
}

/** Whether a token can travel in a header: printable ASCII without spaces, up to 4096 characters. */
export function isUsableToken(token: string): boolean {
  return token.length <= LONGEST_TOKEN && /^[\x21-\x7e]+$/.test(token);
}

/** What is odd about a token that is used all the same; `undefined` where nothing is. */
export function tokenWarning(token: string, source: string): string | undefined {
  return token.startsWith(TOKEN_PREFIX)
    ? undefined
    : `${source} does not start with ${TOKEN_PREFIX}; is it an API token?`;
}
