import { describe, expect, test } from 'vitest';
import { svc } from '../../support/svc.ts';
import { testWire, type Wire } from '../../support/wire.ts';

const PATH = '/v1/things';

const paginate = (wire: Wire, ...flags: readonly string[]) =>
  svc(['api', PATH, '--paginate', ...flags], { url: wire.url });

/** What --paginate makes of pages, each with the Link to the next one unless it names that itself. */
async function joined(...bodies: readonly unknown[]) {
  const wire = await testWire();
  bodies.forEach((body, index) => {
    const isLast = index === bodies.length - 1;
    wire.on('GET', PATH).reply(200, body, isLast ? {} : { link: `<${PATH}?page=${index + 2}>; rel="next"` });
  });
  return paginate(wire, '--json');
}

describe('pages that are lists', () => {
  test('become one list, their numbers as they came', async () => {
    const wire = await testWire();
    wire
      .on('GET', PATH)
      .reply(200, '[ 1.50, {"a":1} ]', { link: `<${PATH}?page=2>; rel="next", <${PATH}?page=1>; rel="first"` })
      .reply(200, '[]', { link: `<${wire.url}${PATH}?page=3>; rel=next` })
      .reply(200, '[2.0,12345678901234567890]', { link: `<${PATH}?page=1>; rel="prev"` });
    const run = await paginate(wire, '--json', '--field', 'q=x');
    expect(run).toMatchObject({ exitCode: 0, stdout: '[1.50,{"a":1},2.0,12345678901234567890]\n', stderr: '' });
    expect(wire.requests.map(({ target }) => target)).toEqual([`${PATH}?q=x`, `${PATH}?page=2`, `${PATH}?page=3`]);
  });

  test('keep the path of the base address', async () => {
    const wire = await testWire();
    wire
      .on('GET', `/base${PATH}`)
      .reply(200, [1], { link: `</base${PATH}?page=2>; rel="next"` })
      .reply(200, [2]);
    const run = await svc(['api', PATH, '--paginate', '--json'], { url: `${wire.url}/base` });
    expect(run).toMatchObject({ exitCode: 0, json: [1, 2] });
  });
});

describe('pages that are objects', () => {
  test('become the first one, with one long list and the cursor of the last', async () => {
    const wire = await testWire();
    wire
      .on('GET', PATH)
      .reply(200, '{ "total": 3.0, "items": [ {"id":"a,]}\\"["} ], "nextCursor": "c&2", "note": "first" }')
      .reply(200, '{"total":4,"items":[],"nextCursor":"c3","note":"second"}')
      .reply(200, '{"items":[12345678901234567890, 1.50 ],"nextCursor": null}');
    const run = await paginate(wire, '--json', '--field', 'limit=1');
    expect(run).toMatchObject({ exitCode: 0, stderr: '' });
    expect(run.stdout).toBe(
      '{"total":3.0,"items":[{"id":"a,]}\\"["},12345678901234567890,1.50],"nextCursor":null,"note":"first"}\n',
    );
    expect(wire.requests.map(({ query }) => query)).toEqual([
      [['limit', '1']],
      [
        ['limit', '1'],
        ['cursor', 'c&2'],
      ],
      [
        ['limit', '1'],
        ['cursor', 'c3'],
      ],
    ]);
  });

  test('go through --jq, and to people, as one document', async () => {
    const pages = (wire: Wire) =>
      wire
        .on('GET', PATH)
        .reply(200, { items: [1], nextCursor: 'c' })
        .reply(200, { items: [2], password: 'p' });
    const scripted = await testWire();
    pages(scripted);
    expect(await paginate(scripted, '--jq', '.items | add')).toMatchObject({ exitCode: 0, stdout: '3\n' });
    const shown = await testWire();
    pages(shown);
    expect(await paginate(shown)).toMatchObject({ exitCode: 0, stdout: '{\n  "items": [\n    1,\n    2\n  ]\n}\n' });
  });

  test.each([
    ['a cursor that the last page leaves out', [{ nextCursor: 'c', items: [1] }, { items: [2] }], { items: [1, 2] }],
    [
      'a cursor in an object beside the list',
      [
        { data: [1], meta: { total: 2, next_cursor: 'c', has_more: true } },
        { data: [2], meta: { total: 9, next_cursor: null, has_more: false } },
      ],
      { data: [1, 2], meta: { total: 2, next_cursor: null, has_more: false } },
    ],
    [
      'an address, also as an object',
      [
        { links: { next: '?page=2', self: '/' }, list: [1] },
        { _links: { next: { href: `${PATH}?page=3` } }, list: [2] },
        { list: [3] },
      ],
      { links: { self: '/' }, list: [1, 2, 3] },
    ],
    ['a last page without the list', [{ items: [1], next: '?page=2' }, { next: '' }], { items: [1], next: '' }],
    ['a last page whose list is null', [{ items: [1], next: '?page=2' }, { items: null }], { items: [1] }],
  ])('follow %s', async (_what, pages, expected) => {
    const wire = await testWire();
    for (const page of pages) wire.on('GET', PATH).reply(200, page);
    expect(await paginate(wire, '--json')).toMatchObject({ exitCode: 0, json: expected });
  });
});

test.each(['{ "items" : [1, 2.0],"warnings":[] }', '{"user":{"email":"a"}}', '[ 1 ]', '5.00', 'null'])(
  'a single page (%s) is printed as it is',
  async (text) => {
    expect(await joined(text)).toMatchObject({ exitCode: 0, stdout: `${text}\n`, stderr: '' });
  },
);

test('a link to something that is not the next page is not followed', async () => {
  const wire = await testWire();
  wire.on('GET', PATH).reply(200, [1], { link: `<${PATH}?page=2>; rel="next-archive", <${PATH}?page=3>; rel="last"` });
  expect(await paginate(wire, '--json')).toMatchObject({ exitCode: 0, json: [1] });
});

test('of a name that comes twice the last one counts, as it does for every reader of JSON', async () => {
  const run = await joined('{"items":[1],"items":[2]}', '{"items":[3],"items":[4]}');
  expect(run).toMatchObject({ exitCode: 0, json: { items: [2, 4] } });
});

test('more than a thousand pages are a mistake', async () => {
  const wire = await testWire();
  const pages = wire.on('GET', PATH);
  for (let page = 1; page <= 1_000; page += 1) pages.reply(200, { items: [], next: `?page=${page}` });
  const run = await paginate(wire, '--json');
  expect(run).toMatchObject({ exitCode: 1, stdout: '', error: { code: 'unexpected' } });
  expect(run.error['error']).toMatch(/^There are more than 1000 pages; /);
});

describe('pages that cannot be joined are a mistake of the command line:', () => {
  test.each<[string, unknown[], string, number]>([
    ['two lists', [{ items: [1], warnings: [] }, {}], 'has 2 lists (items, warnings)', 1],
    ['two lists later', [{ items: [1] }, { items: [2], warnings: [] }], 'has 2 lists (items, warnings)', 2],
    ['no list', [{ item: 1 }, {}], 'has no list', 1],
    ['another list later', [{ items: [1] }, { things: [2] }], 'items first and things later', 2],
    ['a list, then an object', [[1], { items: [2] }], 'others are objects', 2],
    ['an object, then a list', [{ items: [1] }, [2]], 'others are objects', 2],
    ['a number', ['5', []], 'neither a list nor an object', 1],
    ['null later', [{ items: [1] }, 'null'], 'neither a list nor an object', 2],
  ])('%s', async (_what, bodies, words, asked) => {
    const wire = await testWire();
    bodies.slice(0, asked).forEach((body, index) => {
      const isLast = index === bodies.length - 1;
      wire.on('GET', PATH).reply(200, body, isLast ? {} : { link: `<${PATH}?page=2>; rel="next"` });
    });
    const run = await paginate(wire, '--json');
    expect(run).toMatchObject({ exitCode: 2, stdout: '', error: { code: 'usage' } });
    expect(run.error['error']).toContain(words);
    expect(wire.requests).toHaveLength(asked);
  });
});

describe('pages that lead astray are not followed:', () => {
  // The path must be another one than that of the first page: the same one would be a circle.
  test.each([
    ['another host', 'https://evil.example/v1/others'],
    ['another host without a scheme', '//evil.example/v1/others'],
    ['another port', 'http://127.0.0.1:1/v1/others'],
  ])('%s', async (_what, next) => {
    const wire = await testWire();
    wire.on('GET', PATH).reply(200, { items: [1], next });
    const run = await paginate(wire, '--json');
    expect(run).toMatchObject({ exitCode: 1, stdout: '', error: { code: 'unexpected' } });
    expect(run.error['error']).toMatch(/^The next page is at another address; /);
    expect(wire.requests).toHaveLength(1);
  });

  test('a circle', async () => {
    const wire = await testWire();
    wire.on('GET', PATH).reply(200, { items: [1], next: PATH });
    const run = await paginate(wire, '--json');
    expect(run).toMatchObject({ exitCode: 1, stdout: '', error: { code: 'unexpected' } });
    expect(run.error['error']).toMatch(/^The pages go round in a circle; /);
  });

  test('a page that is refused, and nothing is printed', async () => {
    const wire = await testWire();
    wire
      .on('GET', PATH)
      .reply(200, [1], { link: `<${PATH}?page=2>; rel="next"` })
      .reply(403, { error: 'no' });
    expect(await paginate(wire, '--json')).toMatchObject({ exitCode: 5, stdout: '' });
  });
});
