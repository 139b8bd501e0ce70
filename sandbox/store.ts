import { readFileSync } from 'node:fs';
import { getErrorCode, usageError } from '../src/errors.ts';
import { isObject, parseJson } from '../src/json/values.ts';
import { resolveLink } from '../src/store/files.ts';
import { checkFormat, describeSystemError } from '../src/store/problem.ts';
import { writeDurably } from '../src/store/write.ts';
import { emptyState, LIST_LIMITS, type State } from './state.ts';

/** The state of a sandbox, in memory or in a file. */
export type Store = ReturnType<typeof openStore>;

/**
 * Reads the state from the data file, or creates a new one.
 * @throws CliError `usage` if the file cannot be read or written, or is not a data file.
 */
export function openStore(dataFile: string | undefined, now: number) {
  let state = (dataFile === undefined ? undefined : load(dataFile)) ?? emptyState(now);
  if (dataFile !== undefined) checkWrite(dataFile, state);
  return {
    get state(): State {
      return state;
    },
    /**
     * Replaces some lists of the state. With a data file, writes the new state first, so that no
     * answered request is forgotten; if that fails, nothing changes.
     */
    commit(change: Partial<Omit<State, 'version' | 'startedAt'>>): void {
      const next = withinLimits({ ...state, ...change });
      if (dataFile !== undefined) save(dataFile, next);
      state = next;
    },
  };
}

function withinLimits(state: State): State {
  const lists = Object.entries(LIST_LIMITS) as Array<[keyof typeof LIST_LIMITS, number]>;
  const tooLong = lists.filter(([list, limit]) => state[list].length > limit);
  return {
    ...state,
    ...Object.fromEntries(tooLong.map(([list, limit]) => [list, state[list].slice(-limit)])),
  };
}

function load(dataFile: string): State | undefined {
  let text: string;
  try {
    text = readFileSync(dataFile, 'utf8');
  } catch (error) {
    if (getErrorCode(error) === 'ENOENT') return undefined;
    throw usageError(`The data file ${dataFile} cannot be read: ${describeSystemError(error)}`);
  }
  const value = parseJson(text);
  if (isState(value)) return value;
  const format = isObject(value) ? value['version'] : undefined;
  checkFormat(format, 1, dataFile, 'name another file with --data');
  throw usageError(
    `${dataFile} is not a data file of the sandbox.`,
    'Name another file with --data, or remove this one to start afresh.',
  );
}

/** Writes the file that a link leads to. */
function save(dataFile: string, state: State): void {
  writeDurably(resolveLink(dataFile), JSON.stringify(state));
}

/** Reports an unwritable file at the start rather than at the first order. */
function checkWrite(dataFile: string, state: State): void {
  try {
    save(dataFile, state);
  } catch (error) {
    throw usageError(`The data file ${dataFile} cannot be written: ${describeSystemError(error)}`);
  }
}

function isState(value: unknown): value is State {
  if (!isObject(value) || value['version'] !== 1 || typeof value['startedAt'] !== 'number') {
    return false;
  }
  return Object.keys(LIST_LIMITS).every((list) => {
    const entries = value[list];
    return Array.isArray(entries) && entries.every(isObject);
  });
}
