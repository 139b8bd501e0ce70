import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';

const SCRIPT = join(import.meta.dirname, '../../scripts/eval-tools.mjs');

test('the twelve tasks of docs/agents.md can be done with the tools, within their budgets', async () => {
  const { exitCode, stdout, stderr } = await execa(process.execPath, [SCRIPT, '--check'], { reject: false });
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(stdout.match(/^\| .* \| \d+ \| \d+ \|$/gm)).toHaveLength(12);
});
