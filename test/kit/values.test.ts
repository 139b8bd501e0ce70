import { domainToASCII } from 'node:url';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseOrderItem, parseUuid } from '../../src/commands/buy/order-item.ts';
import { toJsonText } from '../../src/json/raw-json.ts';
import { parseAssume } from '../../src/kit/config-file.ts';
import { closest, countEdits, parseChoice } from '../../src/kit/values/choice.ts';
import { type Domain, parseApex, parseDomain } from '../../src/kit/values/domain.ts';
import { parseHeaders } from '../../src/kit/values/header.ts';
import { parseIdentifier } from '../../src/kit/values/identifier.ts';
import { parseFields } from '../../src/kit/values/key-value.ts';
import { parseQuantity, parseWholeNumber } from '../../src/kit/values/number.ts';
import { formatPhone, maskPhone, parsePhone } from '../../src/kit/values/phone.ts';
import { parseDuration, parseInstant, toIso } from '../../src/kit/values/time.ts';
import { ASSUMPTIONS } from '../../src/spec/assumptions.ts';
import { anyCharacter, tries } from '../support/property.ts';
import { acceptedBy, lateRefusal, refusal } from '../support/refusal.ts';

const NOW = Date.parse('2026-03-29T01:30:00Z');
const UUID = '1f0e2c9a-4b7d-4c6e-9a3b-0123456789ab';
const PRO = { planId: 'pro' };
const A63 = 'a'.repeat(63);
const DEEP = '['.repeat(5_000);

/** Every reader of a text. A list has its texts between bars. */
const READ = {
  ascii: (text: string) => parseDomain(text, '--domain').ascii,
  assume: (text: string) => Object.fromEntries(parseAssume(text)),
  choice: (text: string) => parseChoice(text, '--currency', ['USD', 'local']),
  domain: (text: string) => parseDomain(text, '--domain'),
  duration: (text: string) => parseDuration(text, '--since'),
  fields: (text: string) => JSON.stringify(parseFields(text.split('|'), '--field')),
  headers: (text: string) => JSON.stringify(parseHeaders(text.split('|'), '-H')),
  id: (text: string) => parseIdentifier(text, 'service'),
  instant: (text: string) => toIso(parseInstant(text, '--since', NOW)),
  item: (text: string) => parseOrderItem(text, '--item'),
  mask: maskPhone,
  nested: (text: string) => JSON.stringify(parseFields(text.split('|'), '--field', { nested: true })),
  phone: (text: string) => parsePhone(text, '--phone'),
  port: (text: string) => parseWholeNumber(text, '--port', { min: 0, max: 65_535 }),
  promo: (text: string) => parseUuid(text, '--promo'),
  quantity: (text: string) => parseQuantity(text, '--quantity'),
  raw: (text: string) => toJsonText(parseFields(text.split('|'), '--field', { nested: true, raw: true })),
  shown: formatPhone,
  step: (text: string) => parseDuration(text, '--step', { bareUnit: 's' }),
} as const;

type Accepted = [reader: keyof typeof READ, text: string, value: unknown];

test.each<Accepted>([
  ['assume', 'metrics.start=from,metrics.end=to', { 'metrics.start': 'from', 'metrics.end': 'to' }],
  ['assume', ' metrics.step = bucket , job.done=ok done', { 'metrics.step': 'bucket', 'job.done': 'ok done' }],
  ['assume', 'job.path=/v1/jobs/{jobId}', { 'job.path': '/v1/jobs/{jobId}' }],
  ['assume', String.raw`metrics.points=a=b\,c`, { 'metrics.points': 'a=b,c' }],
  ['assume', 'metrics.points=', { 'metrics.points': '' }],
  ['assume', '  ', {}],
  ['choice', 'USD', 'USD'],
  ['domain', 'Bücher.EXAMPLE.', { ascii: 'xn--bcher-kva.example', unicode: 'bücher.example' }],
  ['domain', 'xn--bcher-kva.example', { ascii: 'xn--bcher-kva.example', unicode: 'bücher.example' }],
  ['ascii', 'straße.de', 'xn--strae-oqa.de'],
  ['ascii', '例え。テスト', 'xn--r8jz45g.xn--zckzah'],
  ['ascii', 'r3---sn.example', 'r3---sn.example'],
  ['ascii', `${A63}.${A63}.${A63}.${'a'.repeat(61)}`, `${A63}.${A63}.${A63}.${'a'.repeat(61)}`],
  ['duration', '90s', 90],
  ['duration', '007s', 7],
  ['duration', '7d', 604_800],
  ['duration', '1d2h3m4s', 93_784],
  ['step', '300', 300],
  ['fields', 'a=b=c|empty=|space=  x |n=5|c=b:=1', '{"a":"b=c","empty":"","space":"  x ","n":"5","c":"b:=1"}'],
  ['fields', 'n:=-1.5e3|b:=true|a:=[1,"x"]|s:="5"|w:= 1 ', '{"n":-1500,"b":true,"a":[1,"x"],"s":"5","w":1}'],
  ['fields', '__proto__=a|constructor=b|d:={"__proto__":1}', '{"__proto__":"a","constructor":"b","d":{"__proto__":1}}'],
  ['fields', 'a.b=c|a.d:=1', '{"a.b":"c","a.d":1}'],
  ['nested', 'a.b=c|a.d:=1|e=f|a.g.h=i', '{"a":{"b":"c","d":1,"g":{"h":"i"}},"e":"f"}'],
  ['nested', '__proto__.polluted=1', '{"__proto__":{"polluted":"1"}}'],
  ['raw', 'n:=12345678901234567890|a.f:=1.10|a.t=1.10', '{"n":12345678901234567890,"a":{"f":1.10,"t":"1.10"}}'],
  ['raw', 'o:={"x": 1e999}|s:="\\u0041"', '{"o":{"x": 1e999},"s":"\\u0041"}'],
  ['headers', 'Key: abc|X-Url:https://x/?a:b|S: \t a  b \t', '{"Key":"abc","X-Url":"https://x/?a:b","S":"a  b"}'],
  ['headers', '__proto__: 2|constructor: 3', '{"__proto__":"2","constructor":"3"}'],
  ...['a/b', '...', 'ünï', '%2e%2e', '-x7Gh', '{id}', 'x'.repeat(512), '😀'].map((id): Accepted => ['id', id, id]),
  ['instant', '2026-03-01', '2026-03-01T00:00:00Z'],
  ['instant', '2026-03-01T12:00Z', '2026-03-01T12:00:00Z'],
  ['instant', '2026-03-01T12:00:00.123456789Z', '2026-03-01T12:00:00.123Z'],
  ['instant', '2026-03-01T00:30:00+0100', '2026-02-28T23:30:00Z'],
  ['instant', '2026-02-28T23:30:00-05:30', '2026-03-01T05:00:00Z'],
  ['instant', '2024-02-29', '2024-02-29T00:00:00Z'],
  ['instant', '0099-01-01', '0099-01-01T00:00:00Z'],
  ['instant', '1h30m', '2026-03-29T00:00:00Z'],
  ['instant', 'now', '2026-03-29T01:30:00Z'],
  ['instant', 'today', '2026-03-29T00:00:00Z'],
  ['instant', 'yesterday', '2026-03-28T00:00:00Z'],
  ['item', 'quantity=2,renew=false,label=a=b,plan=pro', { quantity: 2, renew: false, label: 'a=b', ...PRO }],
  ['item', 'domain=Shop.Example.com.,renew', { domain: 'shop.example.com', renew: true }],
  ['item', String.raw`plan=pro,label=one\, two \\ three`, { ...PRO, label: String.raw`one, two \ three` }],
  ['phone', '+225 07-00.00 00 00', '+2250700000000'],
  ['phone', '123456', '123456'],
  ['mask', '+2250700000012', '+225********12'],
  ['mask', '123456', '****56'],
  ['mask', '12345', '*****'],
  ['shown', '+237670000042', '+237 670 000 042'],
  ['shown', '+12025550142', '+1 202 555 0142'],
  ['promo', UUID.toUpperCase(), UUID],
  ['port', '0', 0],
  ['quantity', '9007199254740991', 9007199254740991],
])('as %s, %j is %j', (reader, text, value) => {
  expect(READ[reader](text)).toEqual(value);
});

const NO_CHARACTER = Object.entries({
  '\u00a0': '00A0',
  '\u200b': '200B',
  '\ufe0f': 'FE0F',
  '\0': '0000',
  '\ud800': 'D800',
});
const INVISIBLE = ['svc_1\u200b', 'svc\u00ad_1', 'svc\u202e_1', 'svc\u3164_1', 'svc_1\ufe0f', 'svc\u00a01'];

const NAMES = ASSUMPTIONS.map(({ name }) => name).join(', ');

type Refused = [reader: keyof typeof READ, texts: readonly string[], message: string];

test.each<Refused>([
  ['assume', ['metrics.stat=x'], `not something svc assumes: ${NAMES}. Did you mean metrics.start?`],
  ['assume', ['weather=x', '__proto__=x'], 'Try: svc help assumptions'],
  ['assume', ['metrics.start', 'metrics.end=a,'], '" has no equals sign'],
  ['assume', ['metrics.start='], 'SVC_ASSUME has no value for metrics.start. For example: metrics.start=start'],
  ['assume', ['job.path=v1/jobs', 'job.path=https://evil.example/{jobId}'], 'is not a path'],
  ['assume', ['metrics.end=a\nb'], 'has a control character'],
  ['assume', ['metrics.end=a,metrics.end=a'], 'has metrics.end twice'],
  ['choice', ['usd', ''], '" is not one of USD, local. For example: --currency USD'],
  ['domain', ['exa mple.com', 'example.com '], 'it contains a space.'],
  ...NO_CHARACTER.map(([char, code]): Refused => ['domain', [`a${char}.b`, `a.b${char}`], `character U+${code}.`]),
  ...[...'%/@:\\?#[]<>^|'].map((char): Refused => ['domain', [`a${char}.b`], `it contains ${JSON.stringify(char)}.`]),
  ['domain', ['192.0.2.1', '::1', '1.2.3', '0x7f.1', '192.0.2.1.', '１.2.3.4'], 'is an IP address, not a domain'],
  ['domain', ['example.1', 'a.0x1f', '1.2.3.4.5', '300.300.300.300', 'xn--zz.example'], '--domain'],
  ['domain', [''], '--domain is empty. For example: --domain example.com'],
  ['domain', ['localhost'], '--domain "localhost" has no dot; a domain has at least one. For example'],
  ['domain', ['a..b', '.example.com', 'example.com..'], 'has an empty label'],
  ['domain', ['-a.example', 'a-.example'], 'starts or ends with a hyphen'],
  ['domain', ['foo_bar.example'], 'has the character "_"'],
  ['domain', [`${A63}a.example`, `${'ü'.repeat(60)}.example`], 'has a label longer than 63 characters'],
  ['domain', [`${A63}.${A63}.${A63}.${'a'.repeat(62)}`], 'is longer than 253 characters'],
  ['duration', ['300'], '--since "300" has no unit. For example: --since 300s (or 90s, 6h, 7d, 1h30m)'],
  ['duration', ['0'], 'For example: --since 15m '],
  ['duration', ['', ' 6h', '-6h', '1.5h', '6H', '30m1h', '6hours', '１h', '1e3s', `${A63}d`], 'is not a duration'],
  ['step', ['0', '0s'], 'is not longer than zero'],
  ['duration', ['36501d'], 'is longer than 36500 days'],
  ['fields', ['a=1|a=1', 'a=1|a:=1'], '--field "a" is given twice. Give every key once.'],
  ['nested', ['__proto__=1|__proto__=2', 'a.b=1|a.b=2'], '" is given twice'],
  ['nested', ['a=1|a.b=2', 'a.b=2|a=1', 'a:={"x":1}|a.b=2'], '" is both a value and an object with fields'],
  ['fields', ['=x', ':=1'], '--field has an empty key. For example: --field key=value (or key:=json)'],
  ['fields', [' a=1'], 'has white space around the key " a"'],
  ['nested', ['a..b=1', '.a=1', 'a.=1'], '" has an empty part between its dots'],
  ['fields', ['svc_CANARY_1'], '--field needs key=value, and there is no equals sign. For example'],
  ['fields', ['n:=12345678901234567891', 'n:={"deep":[1e999]}'], 'cannot be sent exactly. To send it as text'],
  ['fields', [`n:=${DEEP}`], 'nests deeper than 200 levels'],
  ['raw', ['n:=01', `n:=${DEEP}`], 'The value of --field "n" cannot be read as JSON'],
  ...['Authorization', 'COOKIE', 'host', 'TE', 'X-HTTP-Method', 'x-method-override', 'Accept-Encoding'].map(
    (name): Refused => ['headers', [`${name}: x`], `-H cannot set ${name}. `],
  ),
  ['headers', ['X: a\r\nY: b', 'X: \u00e9', 'X: a\0', 'X: svc_CANARY\u2028'], '"X" has a value with characters other'],
  ['headers', [': x', 'X Y: x', 'X : x', '\nX: x', 'X(1): x', 'é: x'], 'is not the name of a header'],
  ['headers', ['svc_CANARY_1'], "-H needs a name and a value with a colon between them. For example: -H 'Name: value'"],
  ['headers', ['X:  '], '-H "X" has no value'],
  ['headers', ['X-A: 1|x-a: 2'], '-H "x-a" is given twice'],
  ['id', ['', '  '], 'service is empty. Give an id.'],
  ['id', ['.', '..'], 'would lead to another path'],
  ['id', ['a\nb', 'a\u009bb'], 'has a control character in it'],
  ['id', ['caf\ufffd', 'a\ud800'], 'has a damaged character in it. Use a UTF-8 locale'],
  ['id', ['https://dash.example.com/services/srv_1'], 'is an address, not an id'],
  ['id', ['x'.repeat(513)], 'is longer than 512 characters'],
  ['id', INVISIBLE, 'has an invisible character in it, U+'],
  ['id', ['svc_1\u{e0041}'], 'has an invisible character in it, U+E0041. Copy the id again'],
  ['id', ['svc\uff3f1'], 'has a character in it that only looks like "_", U+FF3F.'],
  ['id', ['svc_wp\u2026', 'svc_\ufb01'], 'has a character in it that only looks like "'],
  ['instant', ['2026-02-30', '2025-02-29', '2026-13-01', '2026-04-31T10:00:00Z'], 'is not a date of the calendar'],
  ['instant', ['2026-03-01T24:00:00Z', '2026-03-01T12:60:00Z', '2026-03-01T23:59:60Z'], 'or a time of the day'],
  ['instant', ['2026-03-01T12:00:00'], 'has no time zone. For example: --since 2026-03-01T12:00:00Z (UTC; or'],
  ['instant', ['+24:00', '-99:00', '+01:60'].map((zone) => `2026-03-01T12:00${zone}`), 'offset that does not exist'],
  ['instant', ['', 'tomorrow', 'NOW', '2026', '2026-3-1', '2026-03-01 12:00Z', '2026-03-01T12Z'], 'is not a time'],
  ['instant', ['6hours'], 'is not a duration'],
  ['item', ['paln=pro'], 'it accepts plan, domain, label, quantity, renew. For example: --item plan=…'],
  ['item', ['plan=pro,qty=2', 'label=one, two', ',', 'plan=pro,', '__proto__=x'], '--item does not know "'],
  ['item', [String.raw`label=a\nb`, 'label=a\\'], 'escapes nothing. Write \\\\ for a backslash and \\, for a comma.'],
  ['item', ['plan=pro,plan=pro'], '--item has plan twice'],
  ['item', ['plan'], '--item has no value for plan. For example: --item plan=…'],
  ['item', ['plan='], '--item plan is empty'],
  ['item', ['label=a\nb'], '--item label has a control character'],
  ['item', ['renew=yes'], '--item renew "yes" is not one of true, false'],
  ['item', ['domain=exa mple.com'], '--item domain "exa mple.com" is not a domain name: it contains a space.'],
  ['phone', ['', '+', '12345', '1234567890123456', '++123456', '(225) 070000', '٠١٢٣٤٥٦٧'], 'is not a phone number'],
  ['phone', ['0700O00000', '0700\u00a0000000', '0700\n000000'], 'between them. For example: --phone +237670000042'],
  ['promo', ['', `{${UUID}}`, UUID.replaceAll('-', ''), ` ${UUID}`, `${UUID}0`], 'is not a UUID. Copy the whole id'],
  ['quantity', ['', '0', '9007199254740992', '1e3', '01', '+1', '-1', '1.0', ' 1', '１'], 'from 1 to 9007199254740991'],
])('as %s, %j are refused: %s', (reader, texts, message) => {
  for (const text of texts) {
    const said = refusal(() => READ[reader](text));
    expect(said).toContain(message);
    expect(said).not.toContain('CANARY');
  }
});

test('a value is never repeated, since it may be a secret', () => {
  for (const text of ['a:=svc_CANARY', 'a:="svc_CANARY', 'a=svc_CANARY|a=svc_CANARY', '=svc_CANARY'])
    expect(refusal(() => READ.fields(text))).not.toContain('CANARY');
  expect(refusal(() => READ.headers('Authorization: Bearer svc_CANARY_1'))).not.toContain('CANARY');
});

const APEXES =
  'example.com example.co.uk shop.uk.com uk.com me.github.io city.kawasaki.jp www.ck a.b.example shop.test';

test.each(`${APEXES} corp.internal xn--bcher-kva.co.uk xn--r8jz45g.xn--55qx5d.cn`.split(' '))(
  '%s is an apex',
  async (name) => {
    expect((await parseApex(name, String)).ascii).toBe(name);
  },
);

test.each([
  ['www.example.com', '"www.example.com" is not an apex domain. example.com'],
  ['a.b.example.co.uk', ' example.co.uk'],
  ['www.shop.uk.com', ' shop.uk.com'],
  ['co.uk', '"co.uk" is a public suffix, below which many people register names. example.co.uk'],
  ['anything.ck', ' example.anything.ck'],
])('%s is no apex: %s', async (name, message) => {
  expect(await lateRefusal(() => parseApex(name, String))).toContain(message);
});

test('the nearest word is the one that was meant', () => {
  const words = ['restart', 'metrics', 'deployments', 'db'];
  const typed = ['restrat', 'metric', 'DEPLOYMENT', 'bd', 'weather', ''];
  expect(typed.map((word) => closest(word, words))).toEqual([...words, undefined, undefined]);
  expect([countEdits('paln', 'plan'), countEdits('ca', 'abc'), countEdits('', 'abc')]).toEqual([1, 3, 3]);
});

const near = (pattern: RegExp) => fc.oneof(fc.string(), fc.stringMatching(pattern));
const path = (id: string) => new URL(`https://host.example/v1/services/${encodeURIComponent(id)}/restart`).pathname;
const HOST = /^(?!.*\.\d+$)(?:(?!-)[a-z0-9-]{1,63}(?<!-)\.)+(?!-)[a-z0-9-]{1,63}(?<!-)$/;
const labels = fc.array(fc.string({ unit: 'grapheme', maxLength: 8 }), { minLength: 1, maxLength: 4 });
const wild = labels.map((all) => all.join('.'));

test.each<[reader: keyof typeof READ, text: fc.Arbitrary<string>, isUsable: (value: never, text: string) => boolean]>([
  ['assume', near(/^(metrics\.end|job\.path|x)=[a-z/,\\ ]{0,6}$/), (value: object) => Object.keys(value).length < 3],
  ['domain', fc.oneof(fc.string(), wild, fc.ipV4(), fc.webUrl()), isHost],
  ['step', near(/^[0-9dhms.]{0,12}$/), (value: number) => Number.isSafeInteger(value) && value > 0],
  ['headers', near(/^[A-Za-z-]{1,10}: ?[ -~\r\n]{0,10}$/), (value: string) => !/[^ -~]|\\[rn]/.test(value)],
  ['id', fc.string({ unit: anyCharacter }), (id: string) => decodeURIComponent(path(id).split('/')[3] ?? '') === id],
  ['instant', near(/^[0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9]{2}:[0-9]{2}(Z|[+-][0-9]{2}:[0-9]{2}))?$/), isIso],
  ['nested', near(/^[a-c.]{0,5}:?=[0-9a-z"{}[\]]{0,6}$/), (value: string) => value.startsWith('{')],
  ['item', near(/^(plan|domain|label|quantity|renew)?=?[0-9a-z.\\,=]{0,12}$/), (value: object) => value !== null],
  ['phone', near(/^\+?[0-9 .-]{4,20}$/), (number: string) => /^(\+\d{1,3})?\*+(\d\d)?$/.test(maskPhone(number))],
  ['promo', fc.string(), (id: string, text: string) => id === text.toLowerCase()],
  ['quantity', near(/^[0-9ex.+-]{0,5}$/), (value: number, text: string) => String(value) === text && value >= 1],
])('any text is a usable %s, or a usage error', (reader, texts, isUsable) => {
  const holds = (text: string) => {
    const value = acceptedBy(() => READ[reader](text));
    return value === undefined || isUsable(value as never, text);
  };
  fc.assert(fc.property(texts, holds), tries(2_000, 101));
});

function isHost({ ascii, unicode }: Domain): boolean {
  const isStable = READ.ascii(ascii) === ascii && domainToASCII(unicode) === ascii;
  return HOST.test(ascii) && isStable && ascii.length <= 253;
}

function isIso(value: string): boolean {
  return value.endsWith('Z');
}

const key = fc.string({ minLength: 1 }).filter((text) => text.trim() === text && !/[=|]|:$/.test(text));
const part = fc.nat({ max: 9_000 });
const instant = fc.integer({ min: Date.parse('1000-01-02T00:00:00Z'), max: Date.parse('9998-12-30T00:00:00Z') });
const fields = fc.uniqueArray(fc.tuple(key, fc.string()), { selector: ([name]) => name });
const two = (value: number) => String(Math.trunc(Math.abs(value))).padStart(2, '0');
const label = fc
  .string({ minLength: 1, unit: 'grapheme' })
  .filter((text) => text.trim() !== '' && !/\p{Cc}/u.test(text));
const ends = fc.tuple(fc.constantFrom('', 'www.', 'a.b.'), fc.constantFrom('', '.co.uk', '.github.io', '.test'));
const word = fc.stringMatching(/^[abc]{0,7}$/);

const ALWAYS: Readonly<Record<string, fc.IRawProperty<unknown, boolean>>> = {
  'any hours, minutes and seconds are a duration': fc.property(part, part, part, (h, m, s) => {
    return READ.step(`${h}h${m}m${s + 1}s`) === h * 3_600 + m * 60 + s + 1;
  }),
  'the same instant comes back from every offset': fc.property(instant, fc.nat({ max: 2_878 }), (ms, nat) => {
    const offset = nat - 1_439;
    const local = new Date(ms + offset * 60_000).toISOString().slice(0, -1);
    const zone = `${offset < 0 ? '-' : '+'}${two(offset / 60)}:${two(offset % 60)}`;
    return parseInstant(`${local}${zone}`, 'x', NOW) === ms;
  }),
  'a formatted instant is the same instant': fc.property(instant, (ms) => parseInstant(toIso(ms), 'x', NOW) === ms),
  'fields of any keys and values come back': fc.property(fields, (list) => {
    const texts = list.map(([name, value]) => `${name}=${value}`);
    const read = parseFields(texts, '--field');
    return Object.keys(read).length === list.length && list.every(([name, value]) => read[name] === value);
  }),
  'any JSON value comes back': fc.property(fc.jsonValue(), (value) => {
    const text = JSON.stringify(value);
    return JSON.stringify(parseFields([`key:=${text}`], '--field')['key']) === text;
  }),
  'a label comes back when its commas and backslashes are escaped': fc.property(label, (text) => {
    return READ.item(`plan=x,label=${text.replace(/[\\,]/g, '\\$&')}`).label === text;
  }),
  'a well-formed domain is one': fc.property(fc.domain(), (name) => READ.ascii(name) === name.toLowerCase()),
  'a UUID is one': fc.property(fc.uuid(), (id) => READ.promo(id) === id),
  'an apex is a domain, or refused': fc.asyncProperty(fc.domain(), ends, async (domain, [front, end]) => {
    return (await lateRefusal(() => parseApex(`${front}${domain}${end}`, String))).length > 0;
  }),
  'the count of edits is a distance': fc.property(word, word, (one, other) => {
    const edits = countEdits(one, other);
    const isBounded = edits <= Math.max(one.length, other.length) && edits >= Math.abs(one.length - other.length);
    return edits === countEdits(other, one) && isBounded && (edits === 0) === (one === other);
  }),
};

test.each(Object.entries(ALWAYS))('%s', async (_title, property) => {
  await fc.assert(property as fc.IAsyncProperty<unknown>, tries(1_000, 102));
});
