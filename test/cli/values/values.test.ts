import { domainToASCII } from 'node:url';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseAssume } from '../../../src/cli/settings/config-file.ts';
import { parseFields } from '../../../src/cli/values/key-value.ts';
import {
  type Domain,
  parseApex,
  parseDomain,
  parseIdentifier,
} from '../../../src/cli/values/names.ts';
import { maskPhone, parsePhone } from '../../../src/cli/values/phone.ts';
import { closest, parseQuantity } from '../../../src/cli/values/text.ts';
import { parseDuration, parseInstant, toIso } from '../../../src/cli/values/time.ts';
import { parseHeaders } from '../../../src/commands/api/request.ts';
import { parseOrderItem } from '../../../src/commands/buy/body.ts';
import { parseUuid } from '../../../src/commands/buy/options.ts';
import { toJsonText } from '../../../src/json/values.ts';
import { anyCharacter, tries } from '../../support/property.ts';
import { acceptedBy, lateRefusal, refusal } from '../../support/refusal.ts';

const NOW = Date.parse('2026-03-29T01:30:00Z');
const UUID = '1f0e2c9a-4b7d-4c6e-9a3b-0123456789ab';
const A63 = 'a'.repeat(63);
const A253 = `${A63}.${A63}.${A63}.${'a'.repeat(61)}`;
const DEEP = '['.repeat(5_000);

/** Every reader of a text. A list has its texts between bars. */
const READ = {
  assume: (text: string) => Object.fromEntries(parseAssume(text)),
  domain: (text: string) => parseDomain(text, '--domain').ascii,
  duration: (text: string) => parseDuration(text, '--since'),
  fields: (text: string) => JSON.stringify(parseFields(text.split('|'), '--field')),
  headers: (text: string) => JSON.stringify(parseHeaders(text.split('|'), '-H')),
  id: (text: string) => parseIdentifier(text, 'service'),
  instant: (text: string) => toIso(parseInstant(text, '--since', NOW)),
  item: (text: string) => parseOrderItem(text),
  mask: maskPhone,
  nested: (text: string) =>
    JSON.stringify(parseFields(text.split('|'), '--field', { nested: true })),
  phone: (text: string) => parsePhone(text, '--phone'),
  promo: (text: string) => parseUuid(text, '--promo'),
  quantity: (text: string) => parseQuantity(text, '--quantity'),
  raw: (text: string) =>
    toJsonText(parseFields(text.split('|'), '--field', { nested: true, raw: true })),
  step: (text: string) => parseDuration(text, '--step', { bareUnit: 's' }),
} as const;

type Reader = keyof typeof READ;

test.each<[reader: Reader, text: string, value: unknown]>([
  [
    'assume',
    ' metrics.step = bucket , job.done=ok done',
    { 'metrics.step': 'bucket', 'job.done': 'ok done' },
  ],
  ['assume', String.raw`metrics.points=a=b\,c`, { 'metrics.points': 'a=b,c' }],
  ['domain', 'Bücher.EXAMPLE.', 'xn--bcher-kva.example'],
  ['domain', 'straße.de', 'xn--strae-oqa.de'],
  ['domain', A253, A253],
  ['duration', '1d2h3m4s', 93_784],
  ['duration', '1w', 604_800],
  ['duration', '2w1d', 1_296_000],
  ['step', '300', 300],
  [
    'fields',
    'a=b=c|empty=|space=  x |c=b:=1|a.b=c',
    '{"a":"b=c","empty":"","space":"  x ","c":"b:=1","a.b":"c"}',
  ],
  ['fields', 'n:=-1.5e3|a:=[1,"x"]|s:="5"|w:= 1 ', '{"n":-1500,"a":[1,"x"],"s":"5","w":1}'],
  ['fields', '__proto__=a|d:={"__proto__":1}', '{"__proto__":"a","d":{"__proto__":1}}'],
  ['nested', 'a.b=c|a.d:=1|e=f|a.g.h=i', '{"a":{"b":"c","d":1,"g":{"h":"i"}},"e":"f"}'],
  ['nested', '__proto__.polluted=1', '{"__proto__":{"polluted":"1"}}'],
  [
    'raw',
    'n:=12345678901234567890|a.f:=1.10|a.t=1.10',
    '{"n":12345678901234567890,"a":{"f":1.10,"t":"1.10"}}',
  ],
  [
    'headers',
    'X-Url:https://x/?a:b|S: \t a  b \t|__proto__: 2',
    '{"x-url":"https://x/?a:b","s":"a  b","__proto__":"2"}',
  ],
  ['id', '%2e%2e', '%2e%2e'],
  ['id', '-x7Gh', '-x7Gh'],
  ['instant', '2026-03-01', '2026-03-01T00:00:00Z'],
  ['instant', '2026-03-01T12:00:00.123456789Z', '2026-03-01T12:00:00.123Z'],
  ['instant', '1h30m', '2026-03-29T00:00:00Z'],
  ['instant', '1w', '2026-03-22T01:30:00Z'],
  // As programs print it: date in its forms, PostgreSQL, Python, Go, Ruby, PowerShell.
  ['instant', '2026-03-01 12:00:00+00:00', '2026-03-01T12:00:00Z'],
  ['instant', '2026-03-01T12:00:00,123456789+01:00', '2026-03-01T11:00:00.123Z'],
  ['instant', '2026-03-01T12+00:00', '2026-03-01T12:00:00Z'],
  ['instant', '2026-03-01 12:00Z', '2026-03-01T12:00:00Z'],
  ['instant', '2026-03-01 12:00:00+00', '2026-03-01T12:00:00Z'],
  ['instant', '2026-03-01 12:00:00.123456+0530', '2026-03-01T06:30:00.123Z'],
  ['instant', '2026-03-01 12:00:00.5 +0000 UTC', '2026-03-01T12:00:00.500Z'],
  ['instant', '2026-03-01 12:00:00 UTC', '2026-03-01T12:00:00Z'],
  ['instant', '2026-03-01t12:00:00z', '2026-03-01T12:00:00Z'],
  ['instant', '20260301T120000Z', '2026-03-01T12:00:00Z'],
  ['instant', 'Sun, 01 Mar 2026 12:00:00 +0100', '2026-03-01T11:00:00Z'],
  ['instant', 'Sun, 01 Mar 2026 12:00:00 GMT', '2026-03-01T12:00:00Z'],
  ['instant', 'Sun Mar  1 12:00:00 UTC 2026', '2026-03-01T12:00:00Z'],
  ['instant', '1772366400', '2026-03-01T12:00:00Z'],
  ['instant', '@1772366400', '2026-03-01T12:00:00Z'],
  ['instant', '1772366400000', '2026-03-01T12:00:00Z'],
  ['instant', 'yesterday', '2026-03-28T00:00:00Z'],
  [
    'item',
    'quantity=2,renew=false,label=a=b,plan=pro',
    { quantity: 2, renew: false, label: 'a=b', planId: 'pro' },
  ],
  ['item', 'domain=Shop.Example.com.,renew', { domain: 'shop.example.com', renew: true }],
  ['phone', '+225 07-00.00 00 00', '+2250700000000'],
  ['phone', '\u202a+2250700000000\u202c', '+2250700000000'],
  ['phone', '+225\u00a007\u202f00\u201100 00 00', '+2250700000000'],
  ['phone', '\u2066+225\u200b0700000000\u2069\ufeff', '+2250700000000'],
  ['mask', '+2250700000012', '+225********12'],
  ['mask', '12345', '*****'],
  ['promo', UUID.toUpperCase(), UUID],
])('as %s, %j is %j', (reader, text, value) => {
  expect(READ[reader](text)).toEqual(value);
});

test.each<[reader: Reader, texts: readonly string[], message: string]>([
  ['assume', ['metrics.stat=x'], 'Did you mean metrics.start?'],
  ['assume', ['metrics.start', 'metrics.end=a,'], '" has no equals sign'],
  ['assume', ['metrics.start='], 'SVC_ASSUME has no value for metrics.start'],
  ['assume', ['job.path=https://evil.example/{jobId}'], 'is not a path'],
  ['assume', ['metrics.end=a\nb'], 'has a control character'],
  [
    'domain',
    ['exa mple.com', 'a\u00a0.b', 'a.b\u200b', 'a\ud800.b', 'a/.b', 'a@.b'],
    'it contains ',
  ],
  ['domain', ['192.0.2.1', '::1', '1.2.3', '0x7f.1', '１.2.3.4'], 'is an IP address, not a domain'],
  [
    'domain',
    [
      'example.1',
      'a.0x1f',
      'localhost',
      'a..b',
      '-a.example',
      'foo_bar.example',
      `${A63}a.example`,
      '300.300.300.300',
      'xn--zz.example',
    ],
    '--domain',
  ],
  ['domain', [`${A253}a`], 'is longer than 253 characters'],
  ['duration', ['300'], 'has no unit. For example: --since 300s'],
  ['duration', ['', '-6h', '1.5h', '6H', '30m1h', '１h', `${A63}d`], 'is not a duration'],
  ['fields', ['a=1|a=1', 'a=1|a:=1', 'a=svc_CANARY|a=svc_CANARY'], '--field "a" is given twice'],
  ['nested', ['__proto__=1|__proto__=2', 'a.b=1|a.b=2'], '" is given twice'],
  [
    'nested',
    ['a=1|a.b=2', 'a.b=2|a=1', 'a:={"x":1}|a.b=2'],
    '" is both a value and an object with fields',
  ],
  ['fields', ['=svc_CANARY', ':=1'], '--field has an empty key'],
  ['fields', ["'slug=svc_CANARY'", '"slug=svc_CANARY"', "'n:=1'"], '--field has quotes around it'],
  ['fields', ['o:={a:1}', 'o:={a:svc_CANARY}', 'o:=[a,b]'], 'write \\" for each: --field'],
  ['fields', ['o:={"a":}', 'o:=01'], 'To send it as text: --field o=…'],
  [
    'id',
    ["'svc_1'", '"svc_1"'],
    'has quotes around it, which the shell has left there. Leave them out: svc_1',
  ],
  ['fields', ['svc_CANARY_1'], '--field needs key=value'],
  ['fields', ['n:=12345678901234567891', 'n:={"deep":[1e999]}'], 'cannot be sent exactly'],
  ['fields', [`n:=${DEEP}`], 'nests deeper than 200 levels'],
  [
    'raw',
    ['n:=01', 'n:="svc_CANARY', `n:=${DEEP}`],
    'The value of --field "n" cannot be read as JSON',
  ],
  [
    'headers',
    ['Authorization: Bearer svc_CANARY', 'COOKIE: x', 'x-method-override: x'],
    '-H cannot set ',
  ],
  [
    'headers',
    ['X: a\r\nY: b', 'X: \u00e9', 'X: svc_CANARY\u2028'],
    '"X" has a value with characters other',
  ],
  ['headers', [': x', 'X : x', '\nX: x', 'é: x'], 'is not the name of a header'],
  ['headers', ['svc_CANARY_1'], '-H needs a name and a value'],
  ['headers', ['X-A: 1|x-a: 2'], '-H "x-a" is given twice'],
  ['id', ['  '], 'service is empty'],
  ['id', ['.', '..'], 'would lead to another path'],
  ['id', ['a\nb', 'a\u009bb'], 'has a control character in it'],
  ['id', ['caf\ufffd', 'a\ud800'], 'has a damaged character in it'],
  [
    'id',
    ['svc_1\u200b', 'svc\u202e_1', 'svc_1\ufe0f', 'svc\u00a01', 'svc_1\u{e0041}'],
    'has an invisible character',
  ],
  ['id', ['svc\uff3f1', 'svc_wp\u2026'], 'has a character in it that only looks like "'],
  [
    'instant',
    ['2025-02-29', '2026-04-31T10:00:00Z', '2026-03-01T23:59:60Z'],
    'is not a date of the calendar',
  ],
  [
    'instant',
    ['2026-03-01T12:00:00'],
    'has no time zone. For example: --since 2026-03-01T12:00:00Z',
  ],
  ['instant', ['2026-03-01T12:00+24:00'], 'offset that does not exist'],
  ['instant', ['', 'tomorrow', '2026', '2026-3-1', '20260301', '1/3/2026'], 'is not a time'],
  ['instant', ['2026-11-31'], 'For example: --since 2026-11-30'],
  ['instant', ['2025-02-29T10:00:00+01:00'], 'For example: --since 2025-02-28T10:00:00+01:00'],
  [
    'instant',
    ['2026-13-01', '2026-03-01T25:00:00Z', '2026-00-31', '2026-02-00'],
    'a day that the calendar has',
  ],
  ['instant', ['2026-03-01 12:00', '20260301T1200'], 'For example: --since 2026-03-01T12:00:00Z'],
  ['instant', ['90 minutes ago', '90min', '1.5h', 'PT90M'], 'For example: --since 90m'],
  ['instant', ['7 days', '1 week ago', '-7d', 'P7D'], 'For example: --since 1w'],
  ['duration', ['1.5h', '90 min', '1,5h'], 'For example: --since 90m'],
  ['duration', ['6H', '6hrs', '6 hours'], 'For example: --since 6h'],
  ['item', ['plan=pro,qty=2', 'plan=pro,', '__proto__=x'], '--item does not know "'],
  ['item', [String.raw`label=a\nb`, 'label=a\\'], 'escapes nothing'],
  ['item', ['plan=pro,plan=pro'], '--item has plan twice'],
  [
    'phone',
    ['', '12345', '1234567890123456', '++123456', '(225) 070000', '٠١٢٣٤٥٦٧'],
    'is not a phone number',
  ],
  [
    'phone',
    ['+0670000042', '+00225070000', '\u202a+0 670 000 042'],
    'no country code begins with 0',
  ],
  ['promo', ['', `{${UUID}}`, ` ${UUID}`, `${UUID}0`], 'is not a UUID'],
  [
    'quantity',
    ['', '0', '9007199254740992', '1e3', '01', '-1', '1.0', '１'],
    'is not a whole number',
  ],
])('as %s, %j are refused: %s', (reader, texts, message) => {
  for (const text of texts) {
    const said = refusal(() => READ[reader](text));
    expect(said).toContain(message);
    expect(said).not.toContain('CANARY');
  }
});

test.each(['shop.uk.com', 'uk.com', 'me.github.io', 'www.ck', 'xn--r8jz45g.xn--55qx5d.cn'])(
  '%s is an apex',
  async (name) => {
    expect((await parseApex(name, String)).ascii).toBe(name);
  },
);

test.each([
  ['a.b.example.co.uk', 'is not an apex domain. example.co.uk'],
  ['co.uk', ' example.co.uk'],
])('%s is no apex: %s', async (name, message) => {
  expect(await lateRefusal(() => parseApex(name, String))).toContain(message);
});

test('the nearest word is the one that was meant', () => {
  const words = ['restart', 'metrics', 'deployments', 'db'];
  const typed = ['restrat', 'metric', 'DEPLOYMENT', 'bd', 'weather', ''];
  expect(typed.map((word) => closest(word, words))).toEqual([...words, undefined, undefined]);
});

const near = (pattern: RegExp) => fc.oneof(fc.string(), fc.stringMatching(pattern));
const path = (id: string) =>
  new URL(`https://host.example/v1/services/${encodeURIComponent(id)}/restart`).pathname;
const HOST = /^(?!.*\.\d+$)(?:(?!-)[a-z0-9-]{1,63}(?<!-)\.)+(?!-)[a-z0-9-]{1,63}(?<!-)$/;
const labels = fc.array(fc.string({ unit: 'grapheme', maxLength: 8 }), {
  minLength: 1,
  maxLength: 4,
});
const wild = labels.map((all) => all.join('.'));

test.each<
  [reader: Reader, text: fc.Arbitrary<string>, isUsable: (value: never, text: string) => boolean]
>([
  ['domain', fc.oneof(fc.string(), wild, fc.ipV4(), fc.webUrl(), fc.domain()), isHost],
  ['step', near(/^[0-9dhms.]{0,12}$/), (value: number) => Number.isSafeInteger(value) && value > 0],
  [
    'headers',
    near(/^[A-Za-z-]{1,10}: ?[ -~\r\n]{0,10}$/),
    (value: string) => !/[^ -~]|\\[rn]/.test(value),
  ],
  [
    'id',
    fc.string({ unit: anyCharacter }),
    (id: string) => decodeURIComponent(path(id).split('/')[3] ?? '') === id,
  ],
  [
    'instant',
    near(/^[0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9]{2}:[0-9]{2}Z)?$/),
    (value: string) => value.endsWith('Z'),
  ],
  [
    'phone',
    near(/^\+?[0-9 .-]{4,20}$/),
    (number: string) => /^(\+\d{1,3})?\*+(\d\d)?$/.test(maskPhone(number)),
  ],
  [
    'quantity',
    near(/^[0-9ex.+-]{0,5}$/),
    (value: number, text: string) => String(value) === text && value >= 1,
  ],
])('any text is a usable %s, or a usage error', (reader, texts, isUsable) => {
  const holds = (text: string) => {
    const value = acceptedBy(() => READ[reader](text));
    return value === undefined || isUsable(value as never, text);
  };
  fc.assert(fc.property(texts, holds), tries(2_000, 101));
});

function isHost(ascii: Domain['ascii']): boolean {
  const { unicode } = parseDomain(ascii, 'x');
  return (
    HOST.test(ascii) &&
    READ.domain(ascii) === ascii &&
    domainToASCII(unicode) === ascii &&
    ascii.length <= 253
  );
}

const key = fc
  .string({ minLength: 1 })
  .filter((text) => text.trim() === text && !/[=|]|:$/.test(text));
const instant = fc.integer({
  min: Date.parse('1000-01-02T00:00:00Z'),
  max: Date.parse('9998-12-30T00:00:00Z'),
});
const two = (value: number) => String(Math.trunc(Math.abs(value))).padStart(2, '0');
const label = fc
  .string({ minLength: 1, unit: 'grapheme' })
  .filter((text) => text.trim() !== '' && !/\p{Cc}/u.test(text));

test('the same instant comes back from every offset', () => {
  const holds = (ms: number, nat: number) => {
    const offset = nat - 1_439;
    const local = new Date(ms + offset * 60_000).toISOString().slice(0, -1);
    const zone = `${offset < 0 ? '-' : '+'}${two(offset / 60)}:${two(offset % 60)}`;
    return parseInstant(`${local}${zone}`, 'x', NOW) === ms;
  };
  fc.assert(fc.property(instant, fc.nat({ max: 2_878 }), holds), tries(1_000, 102));
});

test('a field of any key and JSON value comes back, and a label with its commas and backslashes', () => {
  const isField = (name: string, value: unknown) => {
    const text = JSON.stringify(value);
    return JSON.stringify(parseFields([`${name}:=${text}`], '--field')[name]) === text;
  };
  fc.assert(fc.property(key, fc.jsonValue(), isField), tries(1_000, 103));
  const isLabel = (text: string) =>
    READ.item(`plan=x,label=${text.replace(/[\\,]/g, '\\$&')}`).label === text;
  fc.assert(fc.property(label, isLabel), tries(1_000, 104));
});
