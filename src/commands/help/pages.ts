import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { usageError } from '../../errors.ts';
import { describeSystemError } from '../../store/problem.ts';
import { code, type Screen, strong } from '../../terminal/screen.ts';

/**
 * Reads a Markdown page of the package; an executable has it inside.
 * @throws CliError `usage` if it was removed.
 */
export async function readPage(packageFolder: string, path: string): Promise<string> {
  try {
    return await readFile(join(packageFolder, path), 'utf8');
  } catch (error) {
    throw usageError(
      `svc cannot read its own ${path}: ${describeSystemError(error)}.`,
      'Install svc again.',
    );
  }
}

/** Reads the part of docs/troubleshooting.md about an error code; empty without that page. */
export async function readCodeEntry(packageFolder: string, errorCode: string): Promise<string> {
  const page = await readPage(packageFolder, 'docs/troubleshooting.md').catch(() => '');
  const [, entry = ''] = page.split(`\n### \`${errorCode}\``);
  return entry.replace(/^.*\n/, '').split(/^#/m, 1).join().trim();
}

/** Shows headings, paragraphs, lists and code of Markdown, each paragraph as one line. */
export function showMarkdown(screen: Screen, markdown: string): void {
  const blocks = markdown.trim().split(/\n{2,}/);
  for (const [index, block] of blocks.entries()) {
    if (index > 0) screen.line();
    if (block.startsWith('```')) screen.verbatim(block.split('\n').slice(1, -1).map(indented));
    else if (block.startsWith('#')) screen.heading(block.replace(/^#+ /, ''));
    else if (block.startsWith('- ')) screen.list(block.slice(2).split('\n- ').map(inline));
    else screen.line(inline(block));
  }
}

const indented = (line: string) => `  ${line}\n`;

/** A link becomes its text; one that stands in parentheses of its own is left out. */
function inline(text: string) {
  const plain = text
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ \(\[[^[\]]*\]\([^()]*\)\)/g, '')
    .replaceAll(/\[([^[\]]*)\]\([^()]*\)/g, '$1');
  return plain.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map((part) => {
    if (part.startsWith('`')) return code(part.slice(1, -1));
    return part.startsWith('**') ? strong(part.slice(2, -2)) : part;
  });
}
