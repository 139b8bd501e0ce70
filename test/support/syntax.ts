import { parseAst } from 'vite';

/** A node of a syntax tree, as ESTree names its fields. */
export type SyntaxNode = Readonly<Record<string, unknown>>;

/** Every node of the syntax tree of a TypeScript text. */
export function nodesOf(text: string): SyntaxNode[] {
  const found: SyntaxNode[] = [];
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    found.push(node as SyntaxNode);
    for (const child of Object.values(node)) visit(child);
  };
  visit(parseAst(text, { lang: 'ts' }));
  return found;
}
