import { type MetricSeries, statisticsOf } from '../../metrics/series.ts';
import type { MetricsRange } from '../../service/operations.ts';
import { formatCount, plural } from '../../terminal/numbers.ts';
import { serviceIn } from '../shared/names.ts';
import { figuresText, frameOf, linePaths, xml } from './svg.ts';
import type { Usage } from './usage.ts';

/** A service of the page without its usage, which may be a million points. */
interface Card {
  readonly index: number;
  readonly id: string;
  /** The conditions of `--fail-if` that hold. */
  readonly alert: string | undefined;
  /** Why it could not be read or checked. */
  readonly problem: string | undefined;
  /** Those with the highest come first; without one, the order is that of the list. */
  readonly rank?: number | undefined;
  readonly html: string;
}

type Reported = Omit<Card, 'html'> & { readonly usage: Usage | undefined };

/** Services with pictures; the others have their figures as text. */
const MAX_DRAWN = 500;

const MAX_SERIES = 12;

const STYLE = `
:root { color-scheme: light dark; --page: #f5f6f8; --card: #fff; --text: #1f2430; --quiet: #586174; --edge: #dfe3e9; --line: #2f6fed; --bad: #b42318; }
@media (prefers-color-scheme: dark) {
  :root { --page: #0d1016; --card: #161a22; --text: #e6e9ef; --quiet: #a0a9b8; --edge: #2a313d; --line: #6ea0ff; --bad: #ff8a80; }
}
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 75rem; padding: 1rem; background: var(--page); color: var(--text); font: 16px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.5rem; margin: 0; } h2 { font-size: 1.05rem; margin: 0; overflow-wrap: anywhere; }
p { margin: .25rem 0; } header p, figcaption span { color: var(--quiet); }
section { background: var(--card); border: 1px solid var(--edge); border-radius: .5rem; padding: 1rem; margin: 1rem 0; }
section.alarm { border-left: .3rem solid var(--bad); } .alarm p, strong.alarm { color: var(--bad); overflow-wrap: anywhere; }
.pictures { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fill, minmax(min(100%, 18rem), 1fr)); }
figure { margin: .5rem 0 0; min-width: 0; } figcaption { font-size: .875rem; overflow-wrap: anywhere; } figcaption span { display: block; }
figure svg { display: block; width: 100%; height: auto; border-bottom: 1px solid var(--edge); }
figure path { fill: none; stroke: var(--line); stroke-width: 1.6; stroke-linejoin: round; stroke-linecap: round; }`;

/** A page about the usage of services: one file without scripts, in the reader's light or dark colours. */
export function createReport(range: MetricsRange) {
  const cards: Card[] = [];
  return {
    add({ usage, ...service }: Reported): void {
      cards.push({ ...service, html: cardOf({ ...service, usage }, cards.length < MAX_DRAWN) });
    },
    /** @param total how many services there are, if not all of them were added */
    toHtml: (total = cards.length) => pageOf(range, cards.sort(byUrgency), total),
  };
}

/** Alarms come first, then what could not be read; then the highest rank. */
function byUrgency(one: Card, other: Card): number {
  const urgency = ({ alert, problem }: Card) => (alert === undefined ? 2 : 0) - (problem === undefined ? 0 : 1);
  const rank = (card: Card) => card.rank ?? -Number.MAX_VALUE;
  return urgency(one) - urgency(other) || rank(other) - rank(one) || one.index - other.index;
}

function pageOf({ start, end }: MetricsRange, cards: readonly Card[], total: number): string {
  const alarms = cards.filter(({ alert }) => alert !== undefined).length;
  const unread = total - cards.filter(({ problem }) => problem === undefined).length;
  const alarmed = `<strong class="alarm">${formatCount(alarms)} ${alarms === 1 ? 'alarms' : 'alarm'}</strong>`;
  const counts = [
    `${start} to ${end}, times in UTC`,
    alarms > 0 && alarmed,
    unread > 0 && `${formatCount(unread)} could not be read`,
  ];
  const title = `Usage of ${plural(total, 'service')}`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${title}</title>
<style>${STYLE}
</style>
</head>
<body>
<header>
<h1>${title}</h1>
<p>${counts.filter(Boolean).join(' · ')}</p>
</header>
<main>
${cards.map(({ html }) => html).join('\n')}
</main>
</body>
</html>
`;
}

function cardOf({ id, usage, alert, problem }: Reported, isDrawn: boolean): string {
  const series = usage?.series.slice(0, MAX_SERIES) ?? [];
  const pictures = series.map((one) => `<figure>${captionOf(one)}${isDrawn ? pictureOf(one, usage) : ''}</figure>`);
  const says = alert ?? problem;
  return `<section${alert === undefined ? '' : ' class="alarm"'}>
<h2>${xml(usage === undefined ? id : serviceIn(usage.beside, id))}</h2>
${says === undefined ? '' : `<p>${xml(says)}</p>\n`}${pictures.length === 0 ? '' : `<div class="pictures">${pictures.join('')}</div>\n`}</section>`;
}

function captionOf({ name, values, unit }: MetricSeries): string {
  const statistics = statisticsOf(values);
  const said = statistics === undefined ? 'no values' : figuresText(statistics, unit);
  return `<figcaption>${xml(name)}<span>${xml(said)}</span></figcaption>`;
}

const PICTURE = { left: 0, right: 320, top: 4, bottom: 76 } as const;

/** A small picture of one series, without a scale; empty without values. */
function pictureOf(series: MetricSeries, usage: Usage | undefined): string {
  const { min, max } = statisticsOf(series.values) ?? {};
  if (usage === undefined || min === undefined || max === undefined) return '';
  const { start, end } = usage.range;
  const low = Math.min(0, min);
  const frame = frameOf(PICTURE, Date.parse(start), Date.parse(end), low, max === low ? low + 1 : max);
  const { line } = linePaths(series, frame, PICTURE.right / 2);
  const label = xml(`${series.name} from ${start} to ${end}`);
  return `<svg viewBox="0 0 ${PICTURE.right} 80" role="img" aria-label="${label}"><path d="${line}"/></svg>`;
}
