import {
  boolean,
  objectOrNull,
  oneOf,
  orAbsent,
  orNull,
  rows,
  string,
  strings,
  time,
  uri,
} from './make.ts';

const SHELL = oneOf('the shell', ['bash', 'zsh', 'fish', 'powershell']);

const VERSION = {
  version: string('version of svc'),
  commit: orNull(
    string('its commit, with `-dirty` if files had changed; `null` if it was built without git'),
  ),
  built: orNull(time('the time of that commit')),
  node: orNull(string('version of Node; `null` for the executable, which has none')),
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
    service: orAbsent(string('id of the service; absent if none is linked')),
    org: orAbsent(string('organization; absent if none is linked')),
    changed: boolean('whether this command changed the file'),
  },
  unlink: {
    path: string('the link file of this folder'),
    removed: boolean('whether there was one'),
    inherited: orAbsent(string('the link file of a folder above that still applies')),
  },
  doctor: {
    ...VERSION,
    checks: rows({
      name: string('what was checked'),
      state: oneOf('whether it is in order', ['good', 'note', 'bad']),
      found: string('what was found'),
      fix: orNull(string('the command that fixes it, or advice')),
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
