import { beginLive, type LiveEvent, type LiveState, type Reading, step } from '../../src/live/state.ts';
import type { Chart } from '../../src/terminal/screen.ts';
import { chartOf } from '../terminal/gallery.ts';

/** The time of the last answer. */
export const NOW = Date.parse('2026-11-21T14:03:00Z');

const SERVICES = [
  { id: 'svc_wp', name: 'kola-blog' },
  { id: 'svc_app', name: 'kola-shop' },
  { id: 'svc_vps', name: 'mail' },
];

/** A view of three services that knows nothing yet. */
export const BEGUN = beginLive({
  services: SERVICES,
  organization: 'kola-studio',
  range: '1h',
  pauses: { '1h': 30, '6h': 60 },
});

/** An hour of values around this share of the processor, with the series of a web service. */
export function readingAt(cpu: number, more: Partial<Reading> = {}): Reading {
  const series = (name: string, unit: string, value: (index: number) => number): Chart =>
    chartOf(
      name,
      Array.from({ length: 61 }, (_, index) => ({ time: NOW - (60 - index) * 60_000, value: value(index) })),
      unit,
    );
  return {
    range: '1h',
    at: NOW,
    charts: [
      series('cpuPercent', '%', (index) => cpu + 8 * Math.sin(index / 6)),
      series('memoryBytes', 'bytes', (index) => 3e8 + index * 1e6),
      series('requests', 'count', (index) => 40 + ((index * 7) % 13)),
      series('errors', 'count', (index) => (index === 40 ? 3 : 0)),
      series('responseTimeMs', 'ms', (index) => 180 + 20 * Math.cos(index / 4)),
    ],
    ...more,
  };
}

/** What comes of events, one after the other. */
export function stateAfter(events: readonly LiveEvent[], state: LiveState = BEGUN): LiveState {
  return events.reduce((before, event) => step(before, event).state, state);
}

/** Keys that a person presses, a tenth of a second apart. */
export function keys(...pressed: readonly string[]): LiveEvent[] {
  return pressed.map((key, index) => ({ kind: 'key', key, alone: true, at: index * 100 }));
}

/** An answer of a service. */
export function answer(reading: Reading, service = 'svc_wp'): LiveEvent {
  return { kind: 'answer', service, reading };
}
