/**
 * What three CI systems take for a command in a line that a step prints, ported from their sources: `ActionCommand.cs` of
 * the GitHub runner, `Command.cs` of the Azure agent, and TeamCity's documentation of service messages. They take any
 * name for a known one, and see through characters that .NET's comparisons ignore.
 */
export interface Runner {
  readonly name: string;
  /** What the runner sets for each step. */
  readonly env: Readonly<Record<string, string>>;
  /** Returns the command that a line holds. */
  commandIn(line: string): string | undefined;
}

const UNSEEN = /\u00ad|\u034f|[\u200b-\u200f]|[\u2060-\u2064]|[\ufe00-\ufe0f]|\ufeff/g;
/** What `Trim` of .NET removes. */
const AROUND = /^[\s\u0085]+|[\s\u0085]+$/g;
const COLORS = /\u001b\[[\d;]*m/g;

const seen = (line: string) => line.replace(COLORS, '').replace(UNSEEN, '');

/** `##[name data]` in older steps, anywhere in a line. */
function bracketed(line: string, prefix: string): string | undefined {
  const start = line.toLowerCase().indexOf(prefix);
  const end = start < 0 ? -1 : line.indexOf(']', start);
  return end < 0 ? undefined : line.slice(start + prefix.length, end);
}

/** `::name key=value::data` at the start of a line. */
function colons(line: string): string | undefined {
  const message = line.replace(AROUND, '');
  return message.startsWith('::') ? message.slice(2) : undefined;
}

const github = (line: string) => colons(seen(line)) ?? bracketed(seen(line), '##[');
const azure = (line: string) => bracketed(seen(line), '##vso[') ?? bracketed(seen(line), '##[');
const teamCity = (line: string) => bracketed(seen(line), '##teamcity[');

export const RUNNERS: readonly Runner[] = [
  { name: 'GitHub Actions', env: { CI: 'true', GITHUB_ACTIONS: 'true' }, commandIn: github },
  { name: 'Azure Pipelines', env: { TF_BUILD: 'True' }, commandIn: azure },
  { name: 'TeamCity', env: { TEAMCITY_VERSION: '2026.1' }, commandIn: teamCity },
];

/** The annotation of svc's own error or warning: one line, which shows a text and does nothing else. */
const ANNOTATION = /^(?:error|warning) title=svc%3A [a-z_]+::/;

/** The commands that a runner finds in what a step prints, besides svc's own. It reads lines as .NET and Java do. */
export function commandsIn(text: string, { commandIn }: Runner): readonly string[] {
  return text
    .split(/\r\n|[\n\r]/)
    .flatMap((line) => commandIn(line) ?? [])
    .filter((command) => !ANNOTATION.test(command));
}

/** Text that is or becomes a command, if it is printed as it came. */
// biome-ignore format: a table
export const COMMANDS = [
  '::stop-commands::pwned', '::set-output name=live::true', ' \u00a0::error::x', '##[set-output name=live]true', '##[error]x',
  '###[error]x', '##vso[task.setvariable variable=x]y', '##VSO[task.complete result=Succeeded]', '#\ufe0f#\ufe0fvso[task.x]y',
  "##teamcity[testFailed name='x']", '\n::debug::x', '\r\n##[error]x', 'long '.repeat(20),
];
