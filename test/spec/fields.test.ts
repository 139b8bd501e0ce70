import { expect, test } from 'vitest';
import type { Field, Fields } from '../../src/spec/fields/field.ts';
import { OPERATION_FIELDS } from '../../src/spec/fields/operations.ts';
import { OPERATIONS } from '../../src/spec/operations.ts';
import { MASK, maskSecrets } from '../../src/terminal/mask.ts';

test('has each documented operation', () => {
  expect(Object.keys(OPERATION_FIELDS)).toEqual(Object.keys(OPERATIONS));
});

/** A text as the platform might send it in a field. */
function sampleOf({ secret }: Field, name: string): string {
  return secret === 'whole' && /url$/i.test(name) ? 'postgres://ann:s3cr3t-w0rd@db.example/app' : 's3cr3t-w0rd';
}

function textsOf(fields: Fields): [name: string, field: Field][] {
  return Object.entries(fields).flatMap(([name, field]): [string, Field][] => {
    const value = field.items ?? field;
    if (value.type === 'object') return textsOf(value.fields ?? {});
    return field.type === 'string' ? [[name, field]] : [];
  });
}

test('what it calls a secret is masked for people, and no other text of an answer is', () => {
  for (const [operation, { answer }] of Object.entries(OPERATION_FIELDS)) {
    for (const [name, field] of textsOf(answer)) {
      const masked = JSON.stringify(maskSecrets({ [name]: sampleOf(field, name) }));
      expect(masked.includes(MASK), `${operation}: ${name}`).toBe(field.secret === 'whole');
      expect(masked.includes('s3cr3t-w0rd'), `${operation}: ${name}`).toBe(field.secret !== 'whole');
    }
  }
});
