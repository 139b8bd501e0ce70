import { expect, test } from 'vitest';
import { type Answers, against } from '../../support/against.ts';
import { svc } from '../../support/svc.ts';
import { testWire } from '../../support/wire.ts';

const PATH = '/v1/things';

/**
 * Runs `svc api <path> --paginate` against a platform with these pages; the last one is answered
 * once only.
 */
const paginate = (pages: Answers[string], flags = '--json') =>
  against(`api ${PATH} -X GET --paginate ${flags}`, { [`GET ${PATH}`]: pages });

/** A page with a Link to the next one. */
const linked = (body: object | string, link = `<${PATH}?page=2>; rel="next"`) =>
  [200, body, { link }] as const;

const BIG = '12345678901234567890';

test.each<[what: string, pages: Answers[string], joined: string]>([
  [
    'lists become one, their numbers as they came',
    [
      linked('[ 1.50, {"a":1} ]', `<${PATH}?page=2>; rel=next, <${PATH}?page=1>; rel="first"`),
      `[2.0,${BIG}]`,
    ],
    `[1.50,{"a":1},2.0,${BIG}]`,
  ],
  [
    'objects become the first one, with one list and the cursor of the last',
    [
      '{ "total": 3.0, "items": [ {"id":"a,]}\\"["} ], "nextCursor": "c2" }',
      `{"items":[${BIG}, 1.50 ],"nextCursor": null}`,
    ],
    `{"total":3.0,"items":[{"id":"a,]}\\"["},${BIG},1.50],"nextCursor":null}`,
  ],
  [
    'a cursor that the last page leaves out',
    [{ nextCursor: 'c', items: [1] }, { items: [2] }],
    '{"items":[1,2]}',
  ],
  [
    'a cursor in an object beside the list',
    [
      { data: [1], meta: { total: 2, next_cursor: 'c', has_more: true } },
      { data: [2], meta: { next_cursor: null, has_more: false } },
    ],
    '{"data":[1,2],"meta":{"total":2,"next_cursor":null,"has_more":false}}',
  ],
  [
    'an address, also as an object',
    [
      { links: { next: '?page=2', self: '/' }, list: [1] },
      { _links: { next: { href: `${PATH}?page=3` } }, list: [2] },
      { list: [3] },
    ],
    '{"links":{"self":"/"},"list":[1,2,3]}',
  ],
  [
    'a last page without the list',
    [{ items: [1], next: '?page=2' }, { next: '' }],
    '{"items":[1],"next":""}',
  ],
  [
    'a single page is printed as it is',
    ['{ "items" : [1, 2.0],"warnings":[] }'],
    '{ "items" : [1, 2.0],"warnings":[] }',
  ],
  [
    'a link to something that is not the next page is not followed',
    [linked([1], `<${PATH}?page=2>; rel="next-archive"`)],
    '[1]',
  ],
])('%s', async (_what, pages, joined) => {
  const run = await paginate(pages);
  expect(run).toMatchObject({ exitCode: 0, stdout: `${joined}\n`, stderr: '' });
  expect(run.sent).toHaveLength(pages.length);
});

test('a link is asked for as it stands, a cursor beside the query of the first page', async () => {
  const links = await paginate([linked([1]), [200, []]], '--json --field q=x');
  expect(links.sent.map(({ target }) => target)).toEqual([`${PATH}?q=x`, `${PATH}?page=2`]);
  const pages = [{ items: [], nextCursor: 'c&2' }, { items: [], nextCursor: 'c3' }, { items: [] }];
  const cursors = await paginate(pages, '--json --field limit=1');
  expect(cursors.sent.slice(1).map(({ target }) => target)).toEqual([
    `${PATH}?limit=1&cursor=c%262`,
    `${PATH}?limit=1&cursor=c3`,
  ]);
});

const ONE = { items: [1], next: '?page=2' };

test.each<[what: string, pages: Answers[string], exitCode: number, words: string]>([
  ['two lists', [{ ...ONE, warnings: [] }], 2, 'has 2 lists (items, warnings)'],
  ['no list', [{ item: 1, next: '?page=2' }], 2, 'has no list'],
  ['another list later', [ONE, { things: [2] }], 2, 'items first and things later'],
  ['a list, then an object', [linked([1]), { items: [2] }], 2, 'others are objects'],
  ['null later', [ONE, 'null'], 2, 'neither a list nor an object'],
  ['a refusal later', [linked([1]), [403, { error: 'no' }]], 5, 'no'],
  [
    'more than a thousand',
    Array.from({ length: 1_000 }, (_, at) => ({ items: [], next: `?page=${at + 1}` })),
    1,
    'more than 1000 pages',
  ],
])(
  'pages that cannot be joined are an error, and nothing is printed: %s',
  async (_what, pages, exitCode, words) => {
    const run = await paginate(pages);
    expect(run).toMatchObject({
      exitCode,
      stdout: '',
      error: { error: expect.stringContaining(words) },
    });
    expect(run.sent).toHaveLength(pages.length);
  },
);

// The path must be another one than that of the first page: the same one would be a circle.
test.each([
  ['another host', '//evil.example/v1/others', /^The next page is at another address; /],
  ['a circle', PATH, /^The pages go round in a circle; /],
])('pages that lead astray are not followed: %s', async (_what, next, message) => {
  const wire = await testWire();
  // Once: a circle that is followed has no end.
  wire.on('GET', PATH).reply(200, { items: [1], next });
  const run = await svc(['api', PATH, '--paginate', '--json'], { url: wire.url });
  expect(run).toMatchObject({ exitCode: 1, stdout: '', error: { code: 'unexpected' } });
  expect(run.error['error']).toMatch(message);
});
