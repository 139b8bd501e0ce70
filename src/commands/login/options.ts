import { flag, off, option, type Values } from '../../command/parameters.ts';

/** The options of `svc login`. */
export const OPTIONS = {
  name: option('text', 'name of this machine on the approval page (default: its host name)'),
  browser: off('do not open a browser; the link is always shown'),
  withToken: flag('read an API token from stdin instead'),
  printToken: flag('print the token on stdout and store nothing'),
  wait: off('start a login and exit; finish it with svc login --complete'),
  complete: flag('wait for the login that --no-wait started'),
};

/** The values of {@link OPTIONS}. */
export type LoginOptions = Values<typeof OPTIONS>;
