import {
  anyObject,
  anyObjects,
  boolean,
  integer,
  objects,
  oneOf,
  orAbsent,
  parts,
  rows,
  sameAs,
  string,
  stringOrAbsent,
  strings,
  uri,
} from './field.ts';

const EFFECTS = ['reads', 'changes', 'moves-dns', 'spends', 'local'] as const;

const ARGUMENT = {
  name: string('an argument, in order'),
  description: string('what it means'),
  required: boolean('whether it must be given'),
  variadic: boolean('whether it accepts all arguments that follow'),
  choices: strings('the values it takes, if they are a fixed list'),
};

const OPTION = {
  flags: string('how it is written, as in `-X, --method <method>`'),
  long: string('its long name'),
  short: stringOrAbsent('its short name, if it has one'),
  description: string('what it means'),
  value: stringOrAbsent('name of its value; absent for a switch'),
  choices: strings('the values it takes, if they are a fixed list'),
  repeatable: boolean('whether it may be given several times'),
  group: string('the heading it appears under'),
};

const HELP_COMMAND = {
  path: string('the words to type'),
  summary: string('what it does, in one line'),
  description: string('what it does, in more detail'),
  group: string('the heading it appears under in the help'),
  usage: string('its usage line'),
  effect: orAbsent(oneOf('what it does to the platform; absent for a group', EFFECTS)),
  isDefault: boolean('whether its group runs it when no subcommand is named'),
  arguments: rows(ARGUMENT),
  options: rows(OPTION),
  examples: rows({
    command: string('a command line, with names of the sandbox'),
    meaning: string('what it does'),
  }),
  exitCodes: rows({
    code: integer('an exit code with a meaning of its own here'),
    meaning: string('what it means here'),
  }),
  commands: sameAs('commands[]', anyObjects('subcommands, each as in `commands[]`')),
};

const GLOBAL_OPTIONS = sameAs(
  'commands[].options[]',
  objects('options of every command; each as in `commands[].options[]`', OPTION),
);

const HELP_TABLES = {
  environment: rows({
    name: string('an environment variable'),
    meaning: string('what it does'),
  }),
  exitCodes: rows({
    exit: integer('an exit code'),
    code: string('the `code` of its errors'),
    meaning: string('what it means'),
  }),
  assumptions: rows({
    name: string('something svc assumes about the API'),
    value: string('its default value'),
    note: string('where it is used'),
  }),
  faults: rows({
    part: string('a part of a fault of the sandbox'),
    meaning: string('what it means'),
  }),
};

/** Documents of `svc help`. */
export const HELP_DOCUMENTS = {
  help: {
    name: oneOf('the program', ['svc']),
    version: string('version of svc'),
    description: string('what svc is'),
    globalOptions: GLOBAL_OPTIONS,
    commands: rows(HELP_COMMAND),
    topics: rows({
      name: string('a topic of `svc help <topic>`'),
      title: string('its title'),
    }),
    ...HELP_TABLES,
  },
  'help command': HELP_COMMAND,
  'help topic': {
    topic: string('the topic'),
    text: stringOrAbsent('the whole text'),
    notes: orAbsent(strings('its sentences')),
    globalOptions: orAbsent(GLOBAL_OPTIONS),
    environment: orAbsent(HELP_TABLES.environment),
    exitCodes: orAbsent(HELP_TABLES.exitCodes),
    assumptions: orAbsent(HELP_TABLES.assumptions),
    faults: orAbsent(HELP_TABLES.faults),
  },
  'help index': {
    commands: rows({
      usage: string('usage line of a command'),
      effect: oneOf('what it does to the platform', EFFECTS),
      summary: string('what it does, in one line'),
    }),
  },
  'help schema': {
    $schema: uri('the version of JSON Schema, 2020-12'),
    title: string('the command line that it is about'),
    anyOf: anyObjects(
      'what `--json` prints on stdout; of a command that prints several lines, what a line is',
    ),
    $defs: parts({
      error: anyObject('the error object, the last line of stderr'),
      warning: anyObject('a warning on stderr'),
    }),
  },
};
