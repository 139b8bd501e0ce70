import {
  boolean,
  objectOrNull,
  oneOf,
  rows,
  string,
  stringOrAbsent,
  stringOrNull,
  strings,
  timeOrNull,
  uri,
} from './make.ts';

const SHELL = oneOf('the shell', ['bash', 'zsh', 'fish', 'powershell']);

const VERSION = {
  version: string('version of svc'),
  commit: stringOrNull(
    'its commit, with `-dirty` if files had changed; `null` if it was built without git',
  ),
  built: timeOrNull('the time of that commit'),
  node: stringOrNull('version of Node; `null` for the executable, which has none'),
  runtime: string('what runs svc, with its version: `node/…` or `bun/…`'),
};

/** Documents about svc on this machine. */
export const MACHINE_DOCUMENTS = {
  open: {
    url: uri('address of the page'),
    opened: boolean('whether a browser was started; with `--json` none is'),
  },
  mcp: {
    command: string('the program'),
    args: strings('its arguments'),
  },
  link: {
    path: string('the link file'),
    service: stringOrAbsent('id of the service; absent if none is linked'),
    org: stringOrAbsent('organization; absent if none is linked'),
    changed: boolean('whether this command changed the file'),
  },
  unlink: {
    path: string('the link file of this folder'),
    removed: boolean('whether there was one'),
    inherited: stringOrAbsent('the link file of a folder above that still applies'),
  },
  doctor: {
    ...VERSION,
    checks: rows({
      name: string('what was checked'),
      state: oneOf('whether it is in order', ['good', 'note', 'bad']),
      found: string('what was found'),
      fix: stringOrNull('the command that fixes it, or advice'),
    }),
  },
  version: VERSION,
  completion: { shell: SHELL, script: string('the script') },
  'completion install': {
    shell: SHELL,
    path: string('where the script was put'),
    setup: objectOrNull('what the shell needs beside the script; `null` if that is nothing', {
      file: string('the start-up file of the shell'),
      lines: strings('the lines to add to it, unless they are there'),
    }),
  },
};
