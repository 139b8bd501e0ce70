import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseOrderItem } from '../../../src/commands/buy/order-item.ts';
import { tries } from '../../support/property.ts';
import { acceptedBy, refusal } from '../../support/refusal.ts';

const item = (text: string) => parseOrderItem(text, '--item');

test('an item is keys and values in any order', () => {
  expect(item('plan=pro')).toEqual({ planId: 'pro' });
  expect(item('quantity=2,renew=false,label=My shop,domain=Shop.Example.com.,plan=pro')).toEqual({
    quantity: 2,
    renew: false,
    label: 'My shop',
    domain: 'shop.example.com',
    planId: 'pro',
  });
  expect(item('domain=example.com,renew')).toEqual({ domain: 'example.com', renew: true });
});

test('a comma or a backslash in a label is written with a backslash', () => {
  expect(item(String.raw`plan=pro,label=one\, two \\ three`)).toEqual({
    planId: 'pro',
    label: String.raw`one, two \ three`,
  });
  expect(refusal(() => item(String.raw`label=a\nb`))).toBe(
    String.raw`--item "label=a\\nb" has a backslash that escapes nothing. Write \\ for a backslash and \, for a comma.`,
  );
  expect(refusal(() => item('label=a\\'))).toContain('has a backslash that escapes nothing');
});

test('an equals sign in a value stays', () => {
  expect(item('label=a=b')).toEqual({ label: 'a=b' });
});

test('an unknown key names the one that was meant', () => {
  expect(refusal(() => item('paln=pro'))).toBe(
    '--item does not know "paln"; it accepts plan, domain, label, quantity, renew. For example: --item plan=… (write \\, for a comma within a value)',
  );
  expect(refusal(() => item('plan=pro,qty=2'))).toContain('--item does not know "qty"');
  expect(refusal(() => item('label=one, two'))).toContain('does not know " two"');
  expect(refusal(() => item('planId=pro'))).toContain('For example: --item plan=');
  for (const text of [',', 'plan=pro,', '__proto__=x', 'constructor=x']) {
    expect(refusal(() => item(text))).toContain('--item does not know');
  }
});

test('values must be well formed', () => {
  expect(refusal(() => item('plan=pro,plan=pro'))).toContain('--item has plan twice');
  expect(refusal(() => item('renew,renew=true'))).toContain('--item has renew twice');
  expect(refusal(() => item('plan'))).toBe('--item has no value for plan. For example: --item plan=…');
  expect(refusal(() => item('plan='))).toContain('--item plan is empty');
  expect(refusal(() => item('label=a\nb'))).toContain('--item label has a control character');
  expect(refusal(() => item('renew=yes'))).toContain('--item renew "yes" is not one of true, false');
  expect(refusal(() => item('domain=exa mple.com'))).toContain(
    '--item domain "exa mple.com" is not a domain name: it contains a space.',
  );
  for (const quantity of ['0', '9007199254740992', '1e3', '0x2', '2.0', '-1', '+1', ' 1', '01', '']) {
    expect(refusal(() => item(`quantity=${quantity}`))).toContain('is not a whole number from 1 to 9007199254740991');
  }
});

test('any label comes back when its commas and backslashes are escaped', () => {
  const label = fc
    .string({ minLength: 1, unit: 'grapheme' })
    .filter((text) => text.trim() !== '' && !/\p{Cc}/u.test(text));
  const comesBack = (text: string) => item(`plan=x,label=${text.replace(/[\\,]/g, '\\$&')}`).label === text;
  fc.assert(fc.property(label, comesBack), tries(1_000, 131));
});

test('any text is an item or a usage error', () => {
  const text = fc.oneof(fc.string(), fc.stringMatching(/^(plan|domain|label|quantity|renew)?=?[0-9a-z.\\,=]{0,12}$/));
  const isUsable = (input: string) => Object.keys(acceptedBy(() => item(input)) ?? { refused: 1 }).length > 0;
  fc.assert(fc.property(text, isUsable), tries(2_000, 132));
});
