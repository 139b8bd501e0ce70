import { type Entry, isGroup } from '../../src/cli/define/define.ts';
import { createCommandSchema } from '../../src/commands/help/schema.ts';
import { TREE } from '../../src/commands/tree.ts';
import type { Schema } from '../../src/contract/schema.ts';
import { isObject, type JsonObject, parseJson } from '../../src/json/values.ts';
import { faultsOf } from './schemas.ts';

type Leaf = Exclude<Entry, { readonly children: unknown }>;
interface Known {
  readonly path: readonly string[];
  readonly entry: Leaf;
}

const COMMANDS = commandsIn(TREE, []).toSorted((one, other) => other.path.length - one.path.length);
const schemas = new Map<Leaf, ReturnType<typeof makeSchema>>();
const faults: string[] = [];

function commandsIn(entries: readonly Entry[], before: readonly string[]): Known[] {
  return entries.flatMap((entry): Known[] => {
    const path = [...before, entry.name];
    if (!isGroup(entry)) return [{ path, entry }];
    const defaultCommand = entry.children.find(
      (child) => child.name === entry.defaultCommand && !isGroup(child),
    );
    const own =
      defaultCommand === undefined || isGroup(defaultCommand)
        ? []
        : [{ path, entry: defaultCommand }];
    return [...own, ...commandsIn(entry.children, path)];
  });
}

/**
 * Checks what `--json` printed against its schema; the API's answers are checked where the sandbox
 * sends them.
 */
export async function checkPrinted(
  argv: readonly string[],
  exitCode: number,
  stdout: string,
  stderr: string,
) {
  const isBare =
    !argv.includes('--json') || argv.some((word) => /^--(?:jq|csv|help|version)\b/.test(word));
  const known = isBare ? undefined : commandOf(argv);
  if (known === undefined) return;
  const { entry } = known;
  const schema = schemas.get(entry) ?? makeSchema(entry);
  schemas.set(entry, schema);
  const { stdout: printed, error, warning } = await schema;
  const check = (schema: Schema, value: JsonObject) => {
    for (const fault of faultsOf(schema, value)) {
      faults.push(`svc ${argv.join(' ')}: ${fault} in ${JSON.stringify(value).slice(0, 200)}`);
    }
  };
  for (const value of objectsIn(stdout)) if (isOwn(value)) check(printed, value);
  for (const value of objectsIn(stderr))
    if ('warning' in value && !('exitCode' in value)) check(warning, value);
  const last = parseJson(stderr.trimEnd().split('\n').at(-1) ?? '');
  if (exitCode > 0 && isObject(last) && 'exitCode' in last) check(error, last);
}

/**
 * The command that comes first, and of those that begin there the longest: global options may stand
 * before it.
 */
function commandOf(argv: readonly string[]): Known | undefined {
  const line = ` ${argv.join(' ')} `;
  const found = COMMANDS.map((known) => ({ known, at: line.indexOf(` ${known.path.join(' ')} `) }));
  const [first] = found.filter(({ at }) => at >= 0).toSorted((one, other) => one.at - other.at);
  return first?.known;
}

export function takeFaults(): string[] {
  return faults.splice(0);
}

async function makeSchema(entry: Leaf) {
  const { $schema: _, $defs, ...stdout } = createCommandSchema(await entry.load(), TREE);
  return { stdout, error: $defs.error as Schema, warning: $defs.warning as Schema };
}

function objectsIn(text: string): JsonObject[] {
  const whole = parseJson(text);
  const values = whole === undefined ? text.split('\n').map(parseJson) : [whole];
  return values.filter(isObject);
}

function isOwn(value: JsonObject): boolean {
  return (
    'schemaVersion' in value ||
    /^login_/.test(String(value['event'])) ||
    ('index' in value && 'item' in value)
  );
}
