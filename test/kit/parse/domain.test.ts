import { domainToASCII } from 'node:url';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseApex, parseDomain } from '../../../src/kit/values/domain.ts';
import { tries } from '../../support/property.ts';
import { acceptedBy, lateRefusal, refusal } from '../../support/refusal.ts';

const refused = (text: string) => refusal(() => parseDomain(text, '--domain'));
const label63 = 'a'.repeat(63);

test('a domain is read in both of its forms, in lower case, without its last dot', () => {
  expect(parseDomain('Example.COM', '--domain')).toEqual({ ascii: 'example.com', unicode: 'example.com' });
  expect(parseDomain('example.com.', '--domain').ascii).toBe('example.com');
  expect(parseDomain('Bücher.example', '--domain')).toEqual({
    ascii: 'xn--bcher-kva.example',
    unicode: 'bücher.example',
  });
  expect(parseDomain('xn--bcher-kva.example', '--domain').unicode).toBe('bücher.example');
  expect(parseDomain('straße.de', '--domain').ascii).toBe('xn--strae-oqa.de');
  expect(parseDomain('例え.テスト', '--domain').ascii).toBe('xn--r8jz45g.xn--zckzah');
  expect(parseDomain('例え。テスト', '--domain').ascii).toBe('xn--r8jz45g.xn--zckzah');
  expect(parseDomain('r3---sn.example', '--domain').ascii).toBe('r3---sn.example');
  expect(parseDomain(`${label63}.${label63}.${label63}.${'a'.repeat(61)}`, 'domain').ascii).toHaveLength(253);
});

test('characters that the conversion would silently drop or decode are refused', () => {
  const odd = { ' ': '0020', '\u00a0': '00A0', '\u200b': '200B', '\u200d': '200D', '\u00ad': '00AD', '\ufeff': 'FEFF' };
  const more = { '\u202e': '202E', '\u2066': '2066', '\ufe0f': 'FE0F', '\0': '0000', '\x7f': '007F', '\ud800': 'D800' };
  for (const [char, code] of Object.entries({ ...odd, ...more })) {
    expect(refused(`exa${char}mple.com`)).toContain(
      char === ' ' ? 'it contains a space.' : `it contains the character U+${code}.`,
    );
    expect(refused(`example.com${char}`)).toContain(char === ' ' ? 'a space' : `U+${code}`);
  }
  for (const char of '%/@:\\?#[]<>^|') {
    expect(refused(`exa${char}mple.com`)).toContain(`it contains ${JSON.stringify(char)}.`);
  }
});

test('IP addresses are refused in every notation', () => {
  for (const text of ['192.0.2.1', '::1', '2001:db8::1', '1.2.3', '0x7f.1', '127.1', '192.0.2.1.', '１.2.3.4']) {
    expect(refused(text)).toContain('is an IP address, not a domain');
  }
  for (const text of ['example.1', 'a.0x1f', '1.2.3.4.5', '300.300.300.300'])
    expect(refused(text)).toContain('--domain');
});

test('labels follow the rules of host names', () => {
  expect(refused('')).toBe('--domain is empty. For example: --domain example.com');
  expect(refused('localhost')).toBe(
    '--domain "localhost" has no dot; a domain has at least one. For example: --domain example.com',
  );
  expect(refused('a..b')).toContain('has an empty label');
  expect(refused('.example.com')).toContain('has an empty label');
  expect(refused('example.com..')).toContain('has an empty label');
  expect(refused('-a.example')).toContain('starts or ends with a hyphen');
  expect(refused('a-.example')).toContain('starts or ends with a hyphen');
  expect(refused('foo_bar.example')).toContain('has the character "_"');
  expect(refused('*.example.com')).toContain('has the character "*"');
  expect(refused(`${label63}a.example`)).toContain('has a label longer than 63 characters');
  expect(refused(`${label63}.${label63}.${label63}.${'a'.repeat(62)}`)).toContain('is longer than 253 characters');
  expect(refused('xn--zz.example')).toContain('is not a domain name');
  expect(refused(`${'ü'.repeat(60)}.example`)).toContain('has a label longer than 63 characters');
});

const same = (domain: string) => domain;

test('an apex is a name right below a public suffix', async () => {
  const names = ['example.com', 'example.co.uk', 'shop.uk.com', 'uk.com', 'me.github.io', 'city.kawasaki.jp', 'www.ck'];
  for (const name of names) expect((await parseApex(name, same)).ascii).toBe(name);
  expect(await parseApex('bücher.co.uk', same)).toEqual({ ascii: 'xn--bcher-kva.co.uk', unicode: 'bücher.co.uk' });
  expect((await parseApex('例え.公司.cn', same)).ascii).toBe('xn--r8jz45g.xn--55qx5d.cn');
});

test('a name below an apex is refused, and the apex named', async () => {
  const late = (text: string) => lateRefusal(() => parseApex(text, same));
  expect(await late('www.example.com')).toBe('"www.example.com" is not an apex domain. example.com');
  expect(await late('a.b.example.co.uk')).toContain(' example.co.uk');
  expect(await late('www.shop.uk.com')).toContain(' shop.uk.com');
  expect(await late('www.xn--r8jz45g.xn--55qx5d.cn')).toContain(' xn--r8jz45g.xn--55qx5d.cn');
});

test('a public suffix is refused', async () => {
  for (const suffix of ['co.uk', 'kawasaki.jp', 'xn--55qx5d.cn', 'anything.ck']) {
    expect(await lateRefusal(() => parseApex(suffix, same))).toBe(
      `"${suffix}" is a public suffix, below which many people register names. example.${suffix}`,
    );
  }
});

test('below an unlisted top-level domain every name may be an apex', async () => {
  for (const name of ['shop.test', 'corp.internal', 'a.b.example', 'x.y.z.invalid']) {
    expect((await parseApex(name, same)).ascii).toBe(name);
  }
});

test('any text is a domain that stays itself, or a usage error', () => {
  const near = fc.domain().map((name) => name.toUpperCase());
  const wild = fc.array(fc.string({ unit: 'grapheme', maxLength: 8 }), { minLength: 1, maxLength: 4 });
  const text = fc.oneof(
    fc.string(),
    near,
    wild.map((labels) => labels.join('.')),
    fc.ipV4(),
    fc.ipV6(),
    fc.webUrl(),
  );
  const isUsable = (input: string) => {
    const domain = acceptedBy(() => parseDomain(input, 'domain'));
    if (domain === undefined) return true;
    const isHostName = /^(?!.*\.\d+$)(?:(?!-)[a-z0-9-]{1,63}(?<!-)\.)+(?!-)[a-z0-9-]{1,63}(?<!-)$/.test(domain.ascii);
    const isStable = parseDomain(domain.ascii, 'domain').ascii === domain.ascii;
    return isHostName && isStable && domain.ascii.length <= 253 && domainToASCII(domain.unicode) === domain.ascii;
  };
  fc.assert(fc.property(text, isUsable), tries(3_000, 141));
});

test('every well-formed domain is accepted', () => {
  fc.assert(
    fc.property(fc.domain(), (name) => parseDomain(name, 'domain').ascii === name.toLowerCase()),
    tries(1_000, 142),
  );
});

test('an apex is always a domain, and what is refused is a usage error', async () => {
  const name = fc.tuple(
    fc.domain(),
    fc.constantFrom('', 'www.', 'a.b.'),
    fc.constantFrom('', '.co.uk', '.github.io', '.test'),
  );
  const isUsable = async ([domain, front, end]: [string, string, string]) =>
    (await lateRefusal(() => parseApex(`${front}${domain}${end}`, same))).length > 0;
  await fc.assert(fc.asyncProperty(name, isUsable), tries(500, 143));
});
