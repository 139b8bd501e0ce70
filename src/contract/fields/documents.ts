import { MOVE_DOCUMENTS } from './dns.ts';
import type { Fields, RecordOf } from './field.ts';
import { HELP_DOCUMENTS } from './help.ts';
import { type CHANGE, MACHINE_DOCUMENTS } from './machine.ts';
import { DRY_RUN, EVENTS, MESSAGES } from './messages.ts';
import { METRICS_SUMMARY } from './metrics.ts';

/**
 * The documents that svc prints on stdout with `--json`, by their command. Each also has
 * `schemaVersion`.
 */
export const DOCUMENTS = {
  ...HELP_DOCUMENTS,
  ...MACHINE_DOCUMENTS,
  ...MOVE_DOCUMENTS,
  'metrics summary': METRICS_SUMMARY,
  'dry-run': DRY_RUN,
} as const satisfies Record<string, Fields>;

/** Lines of JSON: events of a command that runs on, each of several, warnings, the error. */
export const LINES = {
  ...EVENTS,
  ...MESSAGES,
} as const satisfies Record<string, Fields>;

/** The command of a document, without the hyphens of its option. */
export type DocumentName = keyof typeof DOCUMENTS;
/** The document of that name, without `schemaVersion`. */
export type DocumentOf<Name extends DocumentName> = RecordOf<(typeof DOCUMENTS)[Name]>;
/** The line of that name, or of one of those names. */
export type LineOf<Name extends keyof typeof LINES> = Name extends Name
  ? RecordOf<(typeof LINES)[Name]>
  : never;
/** A line that svc prints while a command runs on. */
export type Event = LineOf<keyof typeof EVENTS>;
/** A change that svc sent, as `svc changes` lists it. */
export type ChangeEntry = RecordOf<typeof CHANGE>;
