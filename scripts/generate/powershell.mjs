import { brief, commandsOf, GENERATED, valueKind } from './model.mjs';

/** The completion script for PowerShell 5.1 and newer. */
export function powershell(tree) {
  const commands = commandsOf(tree);
  const names = [
    ...new Set(
      commands.flatMap(({ options }) => options.filter(takesValue).flatMap(({ long, short }) => [long, short])),
    ),
  ];
  return `# Completion of svc for PowerShell. ${GENERATED}

Register-ArgumentCompleter -Native -CommandName svc -ScriptBlock {
  param($word, $tree, $position)

  $commands = @{
${commands.map(entryOf).join('\n')}
  }
  $takesValue = @(${names.filter(Boolean).sort().map(quote).join(', ')})

  $path = ''
  $before = ''
  $skip = $false
  foreach ($element in $tree.CommandElements | Select-Object -Skip 1) {
    if ($element.Extent.EndOffset -ge $position -and $word -ne '') { break }
    $text = $element.ToString()
    if ($skip) { $skip = $false; $before = ''; continue }
    if ($text -eq '--') { return }
    if ($text.StartsWith('-')) {
      if ($takesValue -contains $text) { $skip = $true; $before = $text }
      continue
    }
    $next = ("$path $text").Trim()
    if ($commands.ContainsKey($next)) { $path = $next }
  }

  $offers = $commands[$path]
  $chosen = if ($skip) { $offers.values[$before] } elseif ($word.StartsWith('-')) { $offers.options } else { $offers.words }
  foreach ($name in @($chosen.Keys) | Sort-Object) {
    if ($name -like "$word*") {
      [System.Management.Automation.CompletionResult]::new($name, $name, 'ParameterValue', $chosen[$name])
    }
  }
}
`;
}

function entryOf({ words, commands, options, arguments: args }) {
  const subcommands = commands.map(({ path, summary }) => [path.split(' ').at(-1), summary]);
  const [first] = args;
  const choices = first === undefined ? [] : choicesOf(first);
  const named = options.flatMap((option) =>
    [option.long, option.short].filter(Boolean).map((name) => [name, option.description]),
  );
  const values = options.flatMap((option) => {
    const table = choicesOf(option);
    return table.length === 0 ? [] : [[option.long, table]];
  });
  return `    ${quote(words.join(' '))} = @{
      words = ${table([...subcommands, ...choices])}
      options = ${table(dedupe(named))}
      values = @{ ${values.map(([name, choices]) => `${quote(name)} = ${table(choices)}`).join('; ')} }
    }`;
}

function choicesOf(thing) {
  const value = valueKind(thing);
  return value.kind === 'choices' ? value.choices.map((choice) => [choice, choice]) : [];
}

/** PowerShell's tables do not tell capitals apart, and refuse a key that comes twice. */
function dedupe(pairs) {
  const seen = new Set();
  return pairs.filter(([name]) => !seen.has(name.toLowerCase()) && seen.add(name.toLowerCase()));
}

function table(pairs) {
  return pairs.length === 0
    ? '@{}'
    : `@{ ${pairs.map(([name, text]) => `${quote(name)} = ${quote(brief(text))}`).join('; ')} }`;
}

function takesValue(option) {
  return option.value !== undefined;
}

function quote(text) {
  return `'${text.replaceAll("'", "''")}'`;
}
