import { appendFile } from 'node:fs/promises';
import { codeOf, usageError } from '../errors.ts';
import type { Context } from '../kit/context.ts';
import type { Command } from '../kit/define.ts';
import type { Result } from '../kit/result.ts';
import { createScreen } from '../terminal/screen.ts';

/** GitHub drops the whole summary of a step above 1 MiB. */
const MAX_BYTES = 1_000_000;

/** Writes Markdown: to the file of the step, or to stdout where there is none. */
type Write = (parts: readonly string[]) => Promise<void>;

/** What `--step-summary` adds to the summary of a step of GitHub Actions. */
export interface StepSummary {
  /** Adds the screen of a result. Without a file it stands in for the screen; returns whether it does. */
  addResult(command: Command, result: Result<unknown>): Promise<boolean>;
  addError(command: Command, message: string): Promise<void>;
}

/**
 * Opens the summary that `GITHUB_STEP_SUMMARY` names.
 * @throws CliError `usage` if there is none and stdout is taken by JSON.
 */
export function openStepSummary({ io, settings, system }: Context): StepSummary {
  const path = system.env['GITHUB_STEP_SUMMARY'];
  if (!path && settings.globals.json) {
    throw usageError(
      '--step-summary needs GITHUB_STEP_SUMMARY, because --json prints to stdout.',
      'Leave one of them out.',
    );
  }
  const write: Write = async (parts) => {
    const text = `${fitting(parts).join('\n\n')}\n\n`;
    if (!path) return io.out.write(text);
    await appendFile(path, text).catch((error: unknown) =>
      io.warn(`Cannot write the summary to ${path} (${codeOf(error)}).`, 'summary_not_written'),
    );
  };
  const renderer = () => import('../terminal/render.ts');
  return {
    async addResult(command, { show, value }) {
      const screen = createScreen();
      (show ?? command.human)?.(screen, value);
      const { renderMarkdown } = await renderer();
      const parts = await renderMarkdown(screen.blocks, io.view(io.out));
      if (parts.length > 0) await write([`### svc ${command.path}`, ...parts]);
      return !path;
    },
    async addError({ path: name }, message) {
      const { renderMarkdown } = await renderer();
      await write(await renderMarkdown([{ kind: 'warning', text: `svc ${name}: ${message}` }], io.view(io.err)));
    },
  };
}

/** Leaves out what comes after the limit, and says so. */
function fitting(parts: readonly string[]): readonly string[] {
  let left = MAX_BYTES;
  const kept = parts.filter((part) => {
    left -= Buffer.byteLength(part) + 2;
    return left >= 0;
  });
  return kept.length === parts.length ? parts : [...kept, 'The rest is left out: a summary has room for 1 MiB.'];
}
