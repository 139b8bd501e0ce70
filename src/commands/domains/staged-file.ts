import { quoted, usageError } from '../../errors.ts';
import { asArray, asObject, isObject, type JsonObject, parseJson } from '../../json/values.ts';
import type { Context } from '../../kit/context.ts';
import type { Domain } from '../../kit/values/domain.ts';
import { utf8Of } from '../../store/files.ts';
import { checkRecords } from '../../zone/records.ts';
import { MAX_RECORDS_BYTES, readRecords } from '../../zone/records-file.ts';
import { readScanned } from '../../zone/scanned.ts';
import { stagingIn } from './judge-staging.ts';
import type { Staging } from './move.ts';
import { isNameOf } from './resolver.ts';
import { countByType } from './settle-records.ts';

/**
 * Reads what was staged from a file: a plan, a zone file, the answer of `svc domains add --json`, or the lines that it
 * prints for several, of which that of the domain counts. Warns of records that cannot have been staged.
 * @throws CliError `usage` for lines without one of the domain
 */
export async function readStagedFile(context: Context, domain: Domain, path: string): Promise<Staging> {
  const { ascii } = domain;
  const name = path === '-' ? 'Standard input' : quoted(path);
  const text = utf8Of(await context.io.readFile(path, '--records', MAX_RECORDS_BYTES)).toString('utf8');
  const answer = answerIn(text, domain, name);
  const { staged, nameservers } = stagingIn(answer);
  const unread: string[] = [];
  const records =
    answer === undefined
      ? readRecords(text, ascii, { name, onFault: ({ message }) => unread.push(message) }).records
      : asArray(staged).map((entry) => readScanned(entry, ascii));
  const checked = checkRecords(records, ascii);
  const left = countByType(checked.problems, unread.length);
  if (left !== '') await context.io.warn(`${left} of ${name} cannot have been staged: not compared.`, 'not_compared');
  const file = answer === undefined ? path : undefined;
  return { nameservers, records: checked.records, service: '', stagedAt: '', ...(file !== undefined && { file }) };
}

/** Returns the answer to a staging if a text has one: alone, or in the line of the domain. */
function answerIn(text: string, domain: Domain, name: string): JsonObject | undefined {
  const whole = parseJson(text);
  const lines = (
    whole === undefined
      ? text
          .split('\n')
          .filter((line) => line.trim() !== '')
          .map(parseJson)
      : [whole]
  ).map(asObject);
  const isList =
    lines.length > 0 && lines.every((line) => Object.hasOwn(line, 'item') && Object.hasOwn(line, 'attempts'));
  if (!isList)
    return isObject(whole) && Array.isArray(stagingIn(whole).staged) && !('apex' in whole) ? whole : undefined;
  const own = lines.findLast((line) => isAbout(line, domain) && Array.isArray(stagingIn(line['answer']).staged));
  if (own !== undefined) return asObject(own['answer']);
  throw usageError(`${name} has no staged records of ${domain.ascii}.`, 'Save what svc domains add --json prints.');
}

function isAbout({ item }: JsonObject, domain: Domain): boolean {
  const named = isObject(item) ? item['domain'] : item;
  return typeof named === 'string' && isNameOf(domain, named);
}
