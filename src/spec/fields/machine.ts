import type { Fields } from './field.ts';

/** `svc open`: a page of the dashboard. */
export const OPEN = {
  url: { type: 'string', format: 'uri', meaning: 'address of the page' },
  opened: { type: 'boolean', meaning: 'whether a browser was started; with `--json` none is' },
} as const satisfies Fields;

/** `svc mcp --print`: what a client starts. */
export const MCP = {
  command: { type: 'string', meaning: 'the program' },
  args: { type: 'array', items: { type: 'string' }, meaning: 'its arguments' },
} as const satisfies Fields;

/** `svc link`: the link file of this folder. */
export const LINK = {
  path: { type: 'string', meaning: 'the link file' },
  service: { type: 'string', optional: true, meaning: 'id of the service; absent if none is linked' },
  org: { type: 'string', optional: true, meaning: 'organization; absent if none is linked' },
  changed: { type: 'boolean', meaning: 'whether this command changed the file' },
} as const satisfies Fields;

/** `svc unlink`: the file that was removed, and one above that still applies. */
export const UNLINK = {
  path: { type: 'string', meaning: 'the link file of this folder' },
  removed: { type: 'boolean', meaning: 'whether there was one' },
  inherited: {
    type: 'string',
    optional: true,
    meaning: 'the link file of a folder above that still applies; absent if there is none',
  },
} as const satisfies Fields;

/** What a check of `svc doctor` found. */
export const FINDING = {
  state: { type: 'string', enum: ['good', 'note', 'bad'], meaning: 'whether it is in order' },
  found: { type: 'string', meaning: 'what was found' },
  fix: { type: 'string', nullable: true, meaning: 'the command that fixes it, or advice' },
} as const satisfies Fields;

/** `svc --version`: which svc this is. */
export const VERSION = {
  version: { type: 'string', meaning: 'version of svc' },
  commit: {
    type: 'string',
    nullable: true,
    meaning: 'the commit it was built from, with `-dirty` if files had changed; `null` if it was built without git',
  },
  built: { type: 'time', nullable: true, meaning: 'when it was built: the time of its last commit' },
  node: { type: 'string', nullable: true, meaning: 'version of Node; `null` for the executable, which has none' },
  runtime: { type: 'string', meaning: 'what runs svc, with its version: `node/…` or `bun/…`' },
} as const satisfies Fields;

/** `svc doctor`: the checks in the order in which they are made. */
export const DOCTOR = {
  ...VERSION,
  checks: {
    type: 'array',
    items: { type: 'object', fields: { name: { type: 'string', meaning: 'what was checked' }, ...FINDING } },
  },
} as const satisfies Fields;

/** Lines that a shell's start-up file needs. */
const SETUP = {
  file: { type: 'string', meaning: 'the start-up file of the shell' },
  lines: { type: 'array', items: { type: 'string' }, meaning: 'the lines to add to it' },
} as const satisfies Fields;

/** `svc completion`: a script, or where it was installed. */
export const COMPLETION = {
  shell: { type: 'string', enum: ['bash', 'zsh', 'fish', 'powershell'], meaning: 'the shell' },
  script: { type: 'string', optional: true, meaning: 'with a shell: the script' },
  path: { type: 'string', optional: true, meaning: 'with `install`: where the script was put' },
  setup: {
    type: 'object',
    optional: true,
    nullable: true,
    meaning: 'with `install`: what else the shell needs; `null` if nothing is left to do',
    fields: SETUP,
  },
} as const satisfies Fields;

/** `svc completion uninstall`. */
export const COMPLETION_UNINSTALL = {
  removed: { type: 'array', items: { type: 'string' }, meaning: 'the scripts that were removed' },
  left: {
    type: 'array',
    meaning: 'what is left on this machine, for the user to remove',
    items: {
      type: 'object',
      fields: {
        path: { type: 'string', meaning: 'a file or folder' },
        what: { type: 'string', meaning: 'what it is, in words' },
      },
    },
  },
} as const satisfies Fields;
