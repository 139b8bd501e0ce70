// Reads test/mutants.jsonl and finds the place of a row in its file.
import { readFileSync } from 'node:fs';

/** @typedef {{ file: string, search: string, replace: string, tests: string[] }} Mutant */

/** A closing comma, with the white space around it: it stands where the formatter broke a line. */
const CLOSING_COMMA = /^,\s*[)\]}]/;

/**
 * Each line is {"file", "search", "replace", "tests"}: `tests` are those that must fail.
 * @returns {Mutant[]}
 */
export function readMutants(/** @type {string} */ root) {
  const rows = readFileSync(`${root}/test/mutants.jsonl`, 'utf8').trimEnd().split('\n');
  return rows.map((row) => JSON.parse(row));
}

/**
 * Returns where `search` begins and ends in `source`, once for each time that it stands there.
 * White space and closing commas count for nothing, so that a new line break loses no row.
 */
export function findPlaces(/** @type {string} */ source, /** @type {string} */ search) {
  const text = withoutBreaks(source);
  const sought = withoutBreaks(search).signs.replace(/,$/, '');
  const places = [];
  for (let at = text.signs.indexOf(sought); at >= 0; at = text.signs.indexOf(sought, at + 1)) {
    const start = text.offsets[at] ?? 0;
    const end = (text.offsets[at + sought.length - 1] ?? 0) + 1;
    const hasComma = search.trimEnd().endsWith(',') && source[end] === ',';
    places.push({ start, end: hasComma ? end + 1 : end });
  }
  return places;
}

/**
 * Returns the signs that count, and where each stands in the text.
 * @returns {{ signs: string, offsets: number[] }}
 */
function withoutBreaks(/** @type {string} */ text) {
  let signs = '';
  /** @type {number[]} */
  const offsets = [];
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charAt(at);
    const counts =
      sign.trim() !== '' && !(sign === ',' && CLOSING_COMMA.test(text.slice(at, at + 200)));
    if (!counts) continue;

    signs += sign;
    offsets.push(at);
  }
  return { signs, offsets };
}
