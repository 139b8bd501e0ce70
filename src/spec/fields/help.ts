import type { Fields } from './field.ts';

const EFFECTS = ['reads', 'changes', 'moves-dns', 'spends', 'local'] as const;

const ARGUMENT = {
  name: { type: 'string', meaning: 'an argument, in order' },
  description: { type: 'string', meaning: 'what it means' },
  required: { type: 'boolean', meaning: 'whether it must be given' },
  variadic: { type: 'boolean', meaning: 'whether it accepts all arguments that follow' },
  choices: { type: 'array', items: { type: 'string' }, meaning: 'the values it takes, if they are a fixed list' },
} as const satisfies Fields;

const OPTION = {
  flags: { type: 'string', meaning: 'how it is written, as in `-X, --method <method>`' },
  long: { type: 'string', meaning: 'its long name' },
  short: { type: 'string', optional: true, meaning: 'its short name, if it has one' },
  description: { type: 'string', meaning: 'what it means' },
  value: { type: 'string', optional: true, meaning: 'name of its value; absent for a switch' },
  choices: { type: 'array', items: { type: 'string' }, meaning: 'the values it takes, if they are a fixed list' },
  repeatable: { type: 'boolean', meaning: 'whether it may be given several times' },
  group: { type: 'string', meaning: 'the heading it appears under' },
} as const satisfies Fields;

/** One command or group, for `svc help <command>` too. */
export const HELP_COMMAND = {
  path: { type: 'string', meaning: 'the words to type' },
  summary: { type: 'string', meaning: 'what it does, in one line' },
  description: { type: 'string', meaning: 'what it does, in more detail' },
  group: { type: 'string', meaning: 'the heading it appears under in the help' },
  usage: { type: 'string', meaning: 'its usage line' },
  effect: {
    type: 'string',
    enum: EFFECTS,
    optional: true,
    meaning: 'what it does to the platform; absent for a group',
  },
  isDefault: { type: 'boolean', meaning: 'whether its group runs it when no subcommand is named' },
  arguments: { type: 'array', items: { type: 'object', fields: ARGUMENT } },
  options: { type: 'array', items: { type: 'object', fields: OPTION } },
  examples: {
    type: 'array',
    items: {
      type: 'object',
      fields: {
        command: { type: 'string', meaning: 'a command line, with names of the sandbox' },
        meaning: { type: 'string', meaning: 'what it does' },
      },
    },
  },
  exitCodes: {
    type: 'array',
    items: {
      type: 'object',
      fields: {
        code: { type: 'integer', meaning: 'an exit code with a meaning of its own here' },
        meaning: { type: 'string', meaning: 'what it means here' },
      },
    },
  },
  commands: {
    type: 'array',
    items: { type: 'object' },
    sameAs: 'commands[]',
    meaning: 'subcommands, each as in `commands[]`',
  },
} as const satisfies Fields;

const GLOBAL_OPTIONS = {
  type: 'array',
  items: { type: 'object', fields: OPTION },
  sameAs: 'commands[].options[]',
  meaning: 'options that work before and after every command; each as in `commands[].options[]`',
} as const;

/** The tables of the topics, by their names in the document. */
const HELP_TABLES = {
  environment: {
    type: 'array',
    items: {
      type: 'object',
      fields: {
        name: { type: 'string', meaning: 'an environment variable' },
        meaning: { type: 'string', meaning: 'what it does' },
      },
    },
  },
  exitCodes: {
    type: 'array',
    items: {
      type: 'object',
      fields: {
        exit: { type: 'integer', meaning: 'an exit code' },
        code: { type: 'string', meaning: 'the `code` of its errors' },
        meaning: { type: 'string', meaning: 'what it means' },
      },
    },
  },
  assumptions: {
    type: 'array',
    items: {
      type: 'object',
      fields: {
        name: { type: 'string', meaning: 'something svc assumes about the API' },
        value: { type: 'string', meaning: 'its default value' },
        note: { type: 'string', meaning: 'where it is used' },
      },
    },
  },
  faults: {
    type: 'array',
    items: {
      type: 'object',
      fields: {
        part: { type: 'string', meaning: 'a part of a fault of the sandbox' },
        meaning: { type: 'string', meaning: 'what it means' },
      },
    },
  },
} as const satisfies Fields;

/** `svc help`: the whole command tree, with the tables of the topics. */
export const HELP = {
  name: { type: 'string', enum: ['svc'], meaning: 'the program' },
  version: { type: 'string', meaning: 'version of svc' },
  description: { type: 'string', meaning: 'what svc is' },
  globalOptions: GLOBAL_OPTIONS,
  commands: { type: 'array', items: { type: 'object', fields: HELP_COMMAND } },
  topics: {
    type: 'array',
    items: {
      type: 'object',
      fields: {
        name: { type: 'string', meaning: 'a topic of `svc help <topic>`' },
        title: { type: 'string', meaning: 'its title' },
      },
    },
  },
  ...HELP_TABLES,
} as const satisfies Fields;

/** The answer of `svc help <topic>`, which has the list of that topic. */
export const HELP_TOPIC = {
  topic: { type: 'string', meaning: 'the topic' },
  text: { type: 'string', optional: true, meaning: 'the whole text' },
  notes: { type: 'array', optional: true, items: { type: 'string' }, meaning: 'its sentences' },
  globalOptions: { ...GLOBAL_OPTIONS, optional: true },
  environment: { ...HELP_TABLES.environment, optional: true },
  exitCodes: { ...HELP_TABLES.exitCodes, optional: true },
  assumptions: { ...HELP_TABLES.assumptions, optional: true },
  faults: { ...HELP_TABLES.faults, optional: true },
} as const satisfies Fields;

/** The answer of `svc help <word>` for a word that is neither a command nor a topic. */
export const HELP_SEARCH = {
  query: { type: 'string', meaning: 'the words that were looked for' },
  found: {
    type: 'array',
    items: {
      type: 'object',
      fields: {
        command: { type: 'string', meaning: 'the command line that shows the page' },
        about: { type: 'string', meaning: 'what the page is about' },
      },
    },
  },
} as const satisfies Fields;

/** The answer of `svc help --index`. */
export const HELP_INDEX = {
  commands: {
    type: 'array',
    items: {
      type: 'object',
      fields: {
        usage: { type: 'string', meaning: 'usage line of a command' },
        effect: { type: 'string', enum: EFFECTS, meaning: 'what it does to the platform' },
        summary: { type: 'string', meaning: 'what it does, in one line' },
      },
    },
  },
} as const satisfies Fields;

/** The answer of `svc help --schema`: itself a JSON Schema. */
export const HELP_SCHEMA = {
  $schema: { type: 'string', format: 'uri', meaning: 'the version of JSON Schema, 2020-12' },
  title: { type: 'string', meaning: 'the command line that it is about' },
  anyOf: {
    type: 'array',
    items: { type: 'object' },
    meaning: 'what `--json` prints on stdout; of a command that prints several lines, what a line is',
  },
  $defs: {
    type: 'object',
    fields: {
      error: { type: 'object', meaning: 'the error object, the last line of stderr' },
      warning: { type: 'object', meaning: 'a warning on stderr' },
    },
  },
} as const satisfies Fields;
