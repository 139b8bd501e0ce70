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

/**
 * Private use; safe text never holds these. Those of the first area are one code unit each, and cli-table3 shortens what
 * has more units than columns in a time that grows with the square of its length.
 */
const AREAS = [
  { first: 0xe000, room: 6_399 },
  { first: 0xf0000, room: 65_534 },
] as const;
const FILLER = '\uf8ff';
const PRIVATE = /[\ue000-\uf8ff\u{f0000}-\u{ffffd}]/gu;
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
    // A mark without a letter has no column to stand in.
    if (width === 0) return '';
    const standIn = standInOf(numberOf(cluster));
    return standIn === undefined ? '' : standIn + FILLER.repeat(width - 1);
  };
  return {
    hide(text) {
      if (!NOT_ASCII.test(text)) return text;
      return clustersOf(text)
        .map((cluster) => (NOT_ASCII.test(cluster) ? hideCluster(cluster) : cluster))
        .join('');
    },
    show: (drawn) => drawn.replace(PRIVATE, (character) => clusters[numberIn(character)] ?? ''),
  };
}

function standInOf(number: number): string | undefined {
  const [near, far] = AREAS;
  if (number < near.room) return String.fromCodePoint(near.first + number);
  return number < near.room + far.room ? String.fromCodePoint(far.first + number - near.room) : undefined;
}

/** The number of a stand-in; one that nothing has for the filler. */
function numberIn(standIn: string): number {
  const [near, far] = AREAS;
  const code = standIn.codePointAt(0) ?? 0;
  if (standIn === FILLER) return -1;
  return code < far.first ? code - near.first : near.room + code - far.first;
}
