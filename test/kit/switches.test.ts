import { expect, test } from 'vitest';
import { checkSwitches, isOn } from '../../src/environment.ts';
import { svc } from '../support/svc.ts';

test.each(['SVC_ALLOW_HTTP', 'SVC_NO_BROWSER', 'SVC_NO_INPUT', 'SVC_NO_RETRY', 'SVC_DEBUG', 'SVC_AGENT'])(
  '%s with a word that is neither on nor off is an error before anything is sent',
  async (name) => {
    const run = await svc(['restart', 's1', '--json'], { url: 'http://127.0.0.1:1', env: { [name]: 'maybe' } });
    const error = `${name} is "maybe", which is neither on nor off.`;
    expect(run).toMatchObject({ exitCode: 2, stdout: '', error: { error, hint: `Set ${name}=1 or ${name}=0.` } });
  },
);

test('these words are understood', () => {
  const words = ['1', 'true', 'YES', ' on ', '0', 'False', 'no', 'OFF', ''];
  for (const word of words) expect(() => checkSwitches({ SVC_NO_RETRY: word })).not.toThrow();
  expect(words.map(isOn)).toEqual([true, true, true, true, false, false, false, false, false]);
});
