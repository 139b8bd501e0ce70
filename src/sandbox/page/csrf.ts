import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** Makes and checks the tokens that tie a form to the page it came from and to one user code. */
export interface Csrf {
  /** A new token for a page about this code. Nothing is stored: showing a page changes nothing. */
  tokenFor(userCode: string): string;
  accepts(token: string, userCode: string): boolean;
}

/** Tokens of one run of the sandbox: a random part, and a keyed hash of it together with the code. */
export function createCsrf(): Csrf {
  const key = randomBytes(32);
  const sign = (random: string, userCode: string) =>
    createHmac('sha256', key).update(`${random} ${userCode}`).digest('base64url');
  return {
    tokenFor(userCode) {
      const random = randomBytes(16).toString('base64url');
      return `${random}.${sign(random, userCode)}`;
    },
    accepts(token, userCode) {
      const [random = '', signature = ''] = token.split('.');
      const expected = Buffer.from(sign(random, userCode));
      const given = Buffer.from(signature);
      return given.length === expected.length && timingSafeEqual(given, expected);
    },
  };
}
