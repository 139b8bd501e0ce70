import { parseAst } from 'vite';

type SyntaxNode = Readonly<Record<string, unknown>>;

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
