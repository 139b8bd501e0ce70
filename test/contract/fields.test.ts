import { expect, test } from 'vitest';
import type { Field, Fields } from '../../src/contract/fields/field.ts';
import { OPERATION_FIELDS } from '../../src/contract/fields/operations.ts';
import { maskSecrets } from '../../src/terminal/mask.ts';

function textsOf(fields: Fields): [name: string, field: Field][] {
  return Object.entries(fields).flatMap(([name, field]): [string, Field][] => {
    const value = field.items ?? field;
    if (value.type === 'object') return textsOf(value.fields ?? {});
    return field.type === 'string' ? [[name, field]] : [];
  });
}

test.each(Object.entries(OPERATION_FIELDS))(
  'of %s, secrets are masked for people, and no other text is',
  (_, { answer }) => {
    for (const [name, { secret }] of textsOf(answer)) {
      const text =
        secret === 'whole' && /url$/i.test(name)
          ? 'postgres://ann:s3cr3t-w0rd@db.example/app'
          : 's3cr3t-w0rd';
      const isShown = JSON.stringify(maskSecrets({ [name]: text })).includes('s3cr3t-w0rd');
      expect(isShown, name).toBe(secret !== 'whole');
    }
  },
);
