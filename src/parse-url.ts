import { tryOr } from './errors.ts';

/**
 * Parses without `URL.canParse`: once compiled, Node 20 answers false for addresses with letters outside
 * ASCII.
 */
export function parseUrl(text: string, base?: string | URL): URL | undefined {
  return tryOr(() => new URL(text, base), undefined);
}
