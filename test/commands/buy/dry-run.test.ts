import { expect, test } from 'vitest';
import { svc } from '../../support/svc.ts';
import { testWire } from '../../support/wire.ts';

const NUMBER = '+237670000042';

test.each<[string, string[], string?]>([
  ['buy', ['buy', '--plan', 'p1', '--phone', NUMBER]],
  ['api --field', ['api', '/v1/checkout', '--field', `mobileMoneyPhone=${NUMBER}`]],
  ['api --field with JSON', ['api', '/v1/checkout', '--field', 'mobileMoneyPhone:=237670000042']],
  ['api --input', ['api', '/v1/checkout', '--input', '-'], `{"n": 1.10, "mobileMoneyPhone" : "${NUMBER}"}`],
])('a dry run of %s masks the number for people, and is exact for scripts', async (_title, argv, stdin = '') => {
  const { url } = await testWire();
  const people = await svc([...argv, '--dry-run'], { url, stdin });
  expect(people).toMatchObject({ exitCode: 0, stderr: '' });
  expect(people.stdout).toMatch(/"mobileMoneyPhone": "(\+237)?\*{7,10}42"/);
  expect(people.stdout).not.toContain('670000042');
  const script = await svc([...argv, '--dry-run', '--json'], { url, stdin });
  expect(script.stdout).toContain('237670000042');
});
