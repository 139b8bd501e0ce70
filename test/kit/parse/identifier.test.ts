import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseIdentifier } from '../../../src/kit/values/identifier.ts';
import { anyCharacter, tries } from '../../support/property.ts';
import { acceptedBy, refusal } from '../../support/refusal.ts';

const refused = (text: string, field = 'service') => refusal(() => parseIdentifier(text, field));

test('an id is returned unchanged, whatever characters it has', () => {
  for (const id of ['srv_1', 'a/b', '...', 'ünï', 'a b', '%2e%2e', '-x7Gh', '{id}', 'x'.repeat(512), '😀']) {
    expect(parseIdentifier(id, 'service')).toBe(id);
  }
});

test('an id that could change the path or is damaged is refused', () => {
  expect(refused('')).toBe('service is empty. Give an id.');
  expect(refused('  ')).toContain('is empty');
  expect(refused('.')).toContain('would lead to another path');
  expect(refused('..')).toContain('would lead to another path');
  expect(refused('a\nb')).toContain('has a control character in it');
  expect(refused('a\u009bb')).toContain('has a control character in it');
  expect(refused('caf\ufffd')).toContain('has a damaged character in it. Use a UTF-8 locale');
  expect(refused('a\ud800')).toContain('has a damaged character in it');
  expect(refused('https://dash.example.com/services/srv_1')).toContain('is an address, not an id');
  expect(refused('x'.repeat(513))).toContain('is longer than 512 characters');
});

test.each([
  ['a zero-width space', 'svc_1\u200b', 'U+200B'],
  ['a soft hyphen', 'svc\u00ad_1', 'U+00AD'],
  ['a change of direction', 'svc\u202e_1', 'U+202E'],
  ['a filler', 'svc\u3164_1', 'U+3164'],
  ['a selector of variants', 'svc_1\ufe0f', 'U+FE0F'],
  ['a tag', 'svc_1\u{e0041}', 'U+E0041'],
  ['a space that does not break', 'svc\u00a01', 'U+00A0'],
])('an id with %s is refused, and the character named', (_name, id, character) => {
  expect(refused(id)).toContain(`has an invisible character in it, ${character}. Copy the id again`);
});

test.each([
  ['svc\uff3f1', '"_", U+FF3F'],
  ['\uff41bc', '"a", U+FF41'],
  ['svc_wp\u2026', '"...", U+2026'],
  ['svc_\ufb01', '"fi", U+FB01'],
])('an id that only looks like ASCII is refused: %j', (id, what) => {
  expect(refused(id)).toContain(`has a character in it that only looks like ${what}.`);
});

test('an accepted id is one encoded segment of a path', () => {
  const text = fc.oneof(
    fc.string({ unit: anyCharacter }),
    fc.constantFrom('.', '..', '\ud800', '/', '\\', '?', '#', '%2e'),
  );
  const isOneSegment = (input: string) => {
    const id = acceptedBy(() => parseIdentifier(input, 'service'));
    if (id === undefined) return true;
    const url = new URL(`https://host.example/v1/services/${encodeURIComponent(id)}/restart`);
    return url.pathname.split('/').length === 5 && decodeURIComponent(url.pathname.split('/')[3] ?? '') === id;
  };
  fc.assert(fc.property(text, isOneSegment), tries(3_000, 161));
});
