import { once, unicodePattern } from '../once.ts';

/**
 * Text in which every code unit is a character of one column: Latin, Greek and Cyrillic letters, punctuation, arrows,
 * and the lines and blocks that svc draws with. Nearly all text is; the rest needs `Intl.Segmenter`, which takes as
 * long to load as Node itself.
 */
const SIMPLE =
  /^[\x20-\x7e\u00a1-\u00ac\u00ae-\u02ff\u0370-\u0373\u0384-\u038a\u038e-\u03a1\u03a3-\u0482\u048a-\u052f\u2010-\u2027\u2030-\u205e\u20a0-\u20bf\u2190-\u2199\u2500-\u259f\u2713\u2717]*$/;

/** Characters that take two columns (East Asian Wide and Fullwidth, Unicode 16). */
const WIDE =
  /[\u1100-\u115f\u2329\u232a\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18dff}\u{1aff0}-\u{1b2ff}\u{1d300}-\u{1d376}\u{1f200}-\u{1f2ff}\u{20000}-\u{3fffd}]/u;

/** Marks that sit on the character before them, and the inner letters of a Hangul syllable. */
const noWidth = unicodePattern('[\\p{Mn}\\p{Me}\\u1160-\\u11ff\\ud7b0-\\ud7fb]');

/** Drawn as a picture: by itself, or because the emoji selector asks for it. */
const picture = unicodePattern('\\p{Emoji_Presentation}|\\ufe0f');

const segmenter = once(() => new Intl.Segmenter('en', { granularity: 'grapheme' }));

/** Code units that are segmented at a time: the work of `Intl.Segmenter` grows with the square of the text. */
const WINDOW = 256;

/** What people see as single characters: a letter with its accents, a flag. */
export function clustersOf(text: string): string[] {
  if (SIMPLE.test(text)) return text.split('');
  const clusters: string[] = [];
  for (let start = 0; start < text.length; ) {
    const window = windowAt(text, start);
    const found = Array.from(segmenter().segment(window), ({ segment }) => segment);
    // The last one may go on behind the window.
    const last = start + window.length < text.length && found.length > 1 ? found.pop() : undefined;
    clusters.push(...found);
    start += window.length - (last?.length ?? 0);
  }
  return clusters;
}

/** The next piece of a text, which does not end within a character of two units. */
function windowAt(text: string, start: number): string {
  const window = text.slice(start, start + WINDOW);
  return start + WINDOW < text.length ? window.replace(/[\ud800-\udbff]$/, '') : window;
}

/** Columns that a text takes on a terminal; the text must be safe already. */
export function widthOf(text: string): number {
  if (SIMPLE.test(text)) return text.length;
  return clustersOf(text).reduce((sum, cluster) => sum + clusterWidth(cluster), 0);
}

/** Columns that one cluster takes. */
export function clusterWidth(cluster: string): number {
  if (SIMPLE.test(cluster)) return cluster.length;
  if (picture().test(cluster)) return 2;
  let width = 0;
  for (const character of cluster) {
    if (!noWidth().test(character)) width += WIDE.test(character) ? 2 : 1;
  }
  return width;
}

/** The beginning of a text that fits into `columns`, and the columns it takes. */
export function fitting(text: string, columns: number): { text: string; width: number } {
  let width = 0;
  let fit = '';
  for (const cluster of clustersOf(text)) {
    const next = width + clusterWidth(cluster);
    if (next > columns) break;
    fit += cluster;
    width = next;
  }
  return { text: fit, width };
}
