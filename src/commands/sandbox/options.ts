import type { SandboxOptions } from '../../../sandbox/server.ts';
import { example } from '../../cli/values/choice.ts';
import { parseWholeNumber } from '../../cli/values/number.ts';
import { list, option, type Values } from '../../cli/values/parameters.ts';
import { quote, usageError } from '../../errors.ts';
import { loadSandbox } from './with-sandbox.ts';

const MAX_SERVICES = 10_000;

/** The options of every command with a sandbox. */
export const PLATFORM_OPTIONS = {
  fault: list('rule', 'break requests, as in restart:503*2 (svc help faults)'),
  services: option('number', `how many services there are, 4 to ${MAX_SERVICES}`, (text, field) =>
    parseWholeNumber(text, field, { min: 4, max: MAX_SERVICES }),
  ),
  limit: option('rate', 'refuse requests above this rate with 429, as in 50/s', parseRate),
};

/** @throws CliError `usage` for a fault that makes no sense. */
export async function readPlatformOptions({
  fault,
  services,
  limit,
}: Values<typeof PLATFORM_OPTIONS>): Promise<SandboxOptions> {
  const { parseFault } = await loadSandbox();
  return {
    faults: fault.map(parseFault),
    ...(services !== undefined && { services }),
    ...(limit !== undefined && { requestsPerSecond: limit }),
  };
}

const RATE = /^(?:[1-9]\d{0,2}|1000)\/s$/;

function parseRate(text: string, field: string) {
  if (RATE.test(text)) return Number.parseInt(text, 10);
  const perSecond = `${text}/s`;
  throw usageError(
    `${field} ${quote(text)} is not a rate from 1/s to 1000/s.`,
    example(field, '50/s'),
  ).withMeantText(text, RATE.test(perSecond) ? perSecond : undefined);
}
