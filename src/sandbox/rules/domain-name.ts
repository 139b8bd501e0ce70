import { findNameFault } from '../../spec/host-name.ts';
import type { TextRule } from './fields.ts';

/** A domain name in ASCII, of two labels or more. */
export const DOMAIN_RULE: TextRule = {
  max: 253,
  findFault: (name) => findNameFault(name) ?? (name.includes('.') ? undefined : 'has no dot'),
};
