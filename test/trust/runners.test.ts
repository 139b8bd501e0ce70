import { expect, test } from 'vitest';
import { against } from '../support/against.ts';
import { commandsIn, RUNNERS } from './hostile.ts';

// That no runner finds a command in any answer: test/trust/responses.test.ts.

const TEXT = 'Fix ##[error]x, ##VSO[task.x]y, ##teamcity[z], see #12 and a::b';
const SHOWN = 'Fix \\u{23}#[error]x, \\u{23}#VSO[task.x]y, \\u{23}#teamcity[z], see #12 and a::b';
const DEPLOYMENT = {
  deployment: { id: 'dep_1', status: 'live', commit: { message: TEXT }, note: TEXT },
};
const INSPECT = 'deployments inspect dep_1 --service s1';
const ANSWERS = { 'GET /v1/services/s1/deployments/dep_1': [DEPLOYMENT] };

test.each(RUNNERS)(
  'on $name a command is text, and what is printed for programs keeps its value',
  async (runner) => {
    const { env } = runner;
    const printed = async (line: string) => (await against(line, ANSWERS, { env })).stdout;
    expect(await printed(INSPECT)).toContain(SHOWN);
    const json = await printed(`${INSPECT} --json`);
    for (const text of ['\\u0023\\u0023[error]x', 'a\\u003a\\u003ab']) expect(json).toContain(text);
    expect(JSON.parse(json)).toEqual(DEPLOYMENT);
    expect(await printed(`${INSPECT} --jq .deployment.note`)).toBe(`${TEXT}\n`);
    const both = { ...ANSWERS, 'GET /v1/services/s1/deployments/dep_2': [DEPLOYMENT] };
    const cells = await against(`${INSPECT.replace('dep_1', 'dep_1 dep_2')} --csv`, both, { env });
    expect(commandsIn(cells.stdout, runner)).toEqual([]);
  },
);

test.each([{}, { GITHUB_ACTIONS: '' }, { TF_BUILD: 'false' }])(
  'with %j nothing is changed',
  async (env) => {
    for (const look of ['', ' --json']) {
      expect((await against(INSPECT + look, ANSWERS, { env })).stdout).toContain(TEXT);
    }
  },
);

test('on GitHub Actions an error is an annotation unless JSON is asked for', async () => {
  const answers = { 'GET /v1/user': [[404, { error: '50%\r\n::stop-commands::x' }] as const] };
  const said = async (line: string) =>
    (await against(line, answers, { env: { GITHUB_ACTIONS: 'true' } })).stderr;
  expect(await said('whoami')).toMatch(/^::error title=svc%3A not_found::50[^\n]+\nError: /);
  expect(await said('whoami --json')).toMatch(/^\{"error"/);
});
