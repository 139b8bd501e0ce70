import { encode } from 'gpt-tokenizer/encoding/o200k_base';

/**
 * How many tokens a model reads; of the encoding `o200k_base`, as others count a little
 * differently.
 */
export function tokensIn(text: string): number {
  return encode(text).length;
}
