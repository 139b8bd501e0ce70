import {
  CONFIG_LIST,
  CONFIG_SET,
  CONFIG_UNSET,
  LOGOUT,
  ORGS_LIST,
  ORGS_USE,
  PROFILES_LIST,
  PROFILES_USE,
  SETTING,
} from './accounts.ts';
import { type CHANGE, CHANGES, ORDERS_LIST, ORDERS_SETTLE } from './books.ts';
import { LOGIN_PENDING, LOGIN_SUCCEEDED, SANDBOX_START } from './events.ts';
import type { Exactly, Fields, RecordOf } from './field.ts';
import { HELP, HELP_COMMAND, HELP_INDEX, HELP_SCHEMA, HELP_SEARCH, HELP_TOPIC } from './help.ts';
import { COMPLETION, COMPLETION_UNINSTALL, DOCTOR, LINK, MCP, OPEN, UNLINK, VERSION } from './machine.ts';
import { COUNTED, DRY_RUN, ERROR, SEVERAL, WARNING } from './messages.ts';
import { METRICS_FIGURES, METRICS_SUMMARY } from './metrics.ts';
import { DOMAINS_AUDIT, DOMAINS_STATUS } from './move.ts';
import { STATUS } from './status.ts';

/** The documents that svc prints on stdout with `--json`, by their command. Each also has `schemaVersion`. */
export const DOCUMENTS = {
  logout: LOGOUT,
  'profiles list': PROFILES_LIST,
  'profiles use': PROFILES_USE,
  status: STATUS,
  open: OPEN,
  mcp: MCP,
  'orgs list': ORGS_LIST,
  'orgs use': ORGS_USE,
  link: LINK,
  unlink: UNLINK,
  'config list': CONFIG_LIST,
  'config get': SETTING,
  'config set': CONFIG_SET,
  'config unset': CONFIG_UNSET,
  doctor: DOCTOR,
  version: VERSION,
  'domains import audit': DOMAINS_AUDIT,
  'domains status': DOMAINS_STATUS,
  'metrics summary': METRICS_SUMMARY,
  'orders list': ORDERS_LIST,
  'orders settle': ORDERS_SETTLE,
  changes: CHANGES,
  'dry-run': DRY_RUN,
  completion: COMPLETION,
  'completion uninstall': COMPLETION_UNINSTALL,
  help: HELP,
  'help command': HELP_COMMAND,
  'help topic': HELP_TOPIC,
  'help search': HELP_SEARCH,
  'help index': HELP_INDEX,
  'help schema': HELP_SCHEMA,
} as const satisfies Record<string, Fields>;

/** What svc prints on a line of its own while a command runs, by its event or command. */
export const EVENTS = {
  login_pending: LOGIN_PENDING,
  login_succeeded: LOGIN_SUCCEEDED,
  'sandbox start': SANDBOX_START,
} as const satisfies Record<string, Fields>;

/** Lines that any command may print: on stderr, and for each of several. */
export const LINES = {
  error: ERROR,
  warning: WARNING,
  several: SEVERAL,
  counted: COUNTED,
} as const satisfies Record<string, Fields>;

/** What a tool of `svc mcp` answers in place of the API's own, longer answer, by its command. */
export const TOOL_ANSWERS: Readonly<Record<string, Fields>> = { metrics: METRICS_FIGURES };

/** The command of a document, without the hyphens of its option. */
export type DocumentName = keyof typeof DOCUMENTS;
/** The document of that name, without `schemaVersion`. */
export type DocumentOf<Name extends DocumentName> = RecordOf<(typeof DOCUMENTS)[Name]>;
/** `Content`, if it is the document of that name and has no other field. */
export type ExactDocument<Name extends DocumentName, Content> = Content & Exactly<DocumentOf<Name>, Content>;

/** Any event. */
export type Event = { [Name in keyof typeof EVENTS]: RecordOf<(typeof EVENTS)[Name]> }[keyof typeof EVENTS];

/** The error object, without the fields of the platform. */
export type ErrorLine = RecordOf<typeof ERROR>;
/** A warning on stderr, with `--json`. */
export type WarningLine = RecordOf<typeof WARNING>;
/** The line of one of several on stdout. */
export type SeveralLine = RecordOf<typeof SEVERAL>;
/** The line on stderr after several that all succeeded. */
export type CountedLine = RecordOf<typeof COUNTED>;
/** A change that svc sent, as `svc changes` lists it. */
export type ChangeEntry = RecordOf<typeof CHANGE>;
