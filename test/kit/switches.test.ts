import { expect, test } from 'vitest';
import { svc } from '../support/svc.ts';

const restart = (env: Readonly<Record<string, string>>) =>
  svc(['restart', 's1', '--json'], { env: { SVC_API_URL: 'http://127.0.0.1:1', SVC_TOKEN: 'svc_x', ...env } });

test.each(['SVC_ALLOW_HTTP', 'SVC_NO_BROWSER', 'SVC_NO_INPUT', 'SVC_NO_RETRY', 'SVC_DEBUG', 'SVC_AGENT'])(
  '%s with a word that is neither on nor off is an error before anything is sent',
  async (name) => {
    const { exitCode, stdout, error } = await restart({ [name]: 'maybe' });
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(error).toMatchObject({
      error: `${name} is "maybe", which is neither on nor off.`,
      hint: `Set ${name}=1 or ${name}=0.`,
      code: 'usage',
    });
  },
);

test.each(['1', 'true', 'YES', ' on ', '0', 'False', 'no', 'OFF', ''])('the word "%s" is understood', async (word) => {
  const { exitCode } = await restart({ SVC_NO_RETRY: word });
  // Nothing listens at the address.
  expect(exitCode).toBe(8);
});

test('a word that means off turns a switch off', async () => {
  const { stderr } = await svc(['whoami', '--api-url', 'http://example.test'], {
    env: { SVC_TOKEN: 'svc_x', SVC_ALLOW_HTTP: 'no' },
  });
  expect(stderr).toContain('SVC_ALLOW_HTTP');
});
