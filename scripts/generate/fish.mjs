import { brief, commandsOf, GENERATED, valueKind } from './model.mjs';

/** The completion script for fish. */
export function fish(tree) {
  const commands = commandsOf(tree);
  const valueOptions = new Set(
    commands.flatMap(({ options }) =>
      options.filter(({ value }) => value !== undefined).flatMap(({ long, short }) => [long, short]),
    ),
  );
  return `# Completion of svc for fish. ${GENERATED}

# The command words typed so far, without options and their values.
function __svc_words
    set -l skip 0
    for word in (commandline -opc)[2..-1]
        if test $skip -eq 1
            set skip 0
        else if contains -- $word ${[...valueOptions].filter(Boolean).sort().join(' ')}
            set skip 1
        else if test $word = --
            return
        else if not string match -q -- '-*' $word
            echo $word
        end
    end
end

# Whether the command is the one given, with that many arguments behind it at the most.
function __svc_at
    set -l words (__svc_words)
    set -l most $argv[1]
    set -l command $argv[2..-1]
    test (count $words) -ge (count $command); or return 1
    test (count $words) -le (math (count $command) + $most); or return 1
    test (count $command) -eq 0; and return 0
    test "$words[1..(count $command)]" = "$command"
end

complete -c svc -f
${commands.flatMap(linesOf).join('\n')}
`;
}

function linesOf({ words, commands, options, arguments: args }) {
  const exact = quote(['__svc_at 0', ...words].join(' '));
  const anywhere = quote(['__svc_at 9', ...words].join(' '));
  const here = commands.length > 0 ? exact : anywhere;
  return [
    ...commands.map(
      ({ path, summary }) => `complete -c svc -n ${exact} -a ${path.split(' ').at(-1)} -d ${quote(brief(summary))}`,
    ),
    ...args.flatMap((argument, index) => argumentLine(argument, index, words)),
    ...options.map((option) => optionLine(option, here)),
  ];
}

function argumentLine(argument, index, words) {
  const value = valueKind(argument);
  const condition = quote([`__svc_at ${index}`, ...words].join(' '));
  if (value.kind === 'choices') return [`complete -c svc -n ${condition} -a ${quote(value.choices.join(' '))}`];
  return value.kind === 'file' ? [`complete -c svc -n ${condition} -F`] : [];
}

function optionLine(option, condition) {
  const value = valueKind(option);
  const parts = [
    `complete -c svc -n ${condition}`,
    option.long && `-l ${option.long.slice(2)}`,
    option.short && `-s ${option.short.slice(1)}`,
    `-d ${quote(brief(option.description))}`,
    option.value !== undefined && '-r',
    value.kind === 'choices' && `-a ${quote(value.choices.join(' '))}`,
    value.kind === 'file' && '-F',
  ];
  return parts.filter(Boolean).join(' ');
}

function quote(text) {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
