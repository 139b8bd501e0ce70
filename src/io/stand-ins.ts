import { clustersOf, clusterWidth } from './width.ts';

/**
 * cli-table3 measures text in its own, older way and would set columns askew where a cell holds marks, emoji or wide
 * letters. So it is given stand-ins that both measure alike, and they are taken back when the table is drawn.
 */
export interface StandIns {
  /** The text with one private character in place of each column that is not ASCII. */
  hide(text: string): string;
  /** The drawn text with the real characters back in their places. */
  show(drawn: string): string;
}

/** Private use, plane 15: safe text never holds these. */
const FIRST = 0xf0000;
const LAST = 0xffffc;
const FILLER = '\u{ffffd}';
const PRIVATE = /[\u{f0000}-\u{ffffd}]/gu;
const NOT_ASCII = /[^\x20-\x7e]/;

/** Stand-ins for one table. */
export function createStandIns(): StandIns {
  const clusters: string[] = [];
  const numbers = new Map<string, number>();
  const numberOf = (cluster: string) => {
    const known = numbers.get(cluster);
    if (known !== undefined) return known;
    numbers.set(cluster, clusters.length);
    return clusters.push(cluster) - 1;
  };
  const hideCluster = (cluster: string) => {
    const width = clusterWidth(cluster);
    const code = FIRST + numberOf(cluster);
    // A mark without a letter has no column to stand in.
    if (width === 0 || code > LAST) return '';
    return String.fromCodePoint(code) + FILLER.repeat(width - 1);
  };
  return {
    hide(text) {
      if (!NOT_ASCII.test(text)) return text;
      return clustersOf(text)
        .map((cluster) => (NOT_ASCII.test(cluster) ? hideCluster(cluster) : cluster))
        .join('');
    },
    show: (drawn) => drawn.replace(PRIVATE, (character) => clusters[(character.codePointAt(0) ?? 0) - FIRST] ?? ''),
  };
}
