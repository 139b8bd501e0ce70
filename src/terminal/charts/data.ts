/** A point of a chart. */
export interface ChartPoint {
  /** Milliseconds since the epoch. */
  readonly time: number;
  /** `undefined` is a gap. */
  readonly value: number | undefined;
}

/** Statistics of all measurements, also those that the points of a chart leave out. */
export interface Figures {
  readonly min: number;
  readonly max: number;
  readonly avg: number;
  readonly p95: number;
  readonly last: number;
}

/** How charts are drawn where a screen has more to say than their values. */
export interface ChartOptions {
  /** How to see every chart; with it, a low terminal shows only some. */
  readonly all?: string | undefined;
  /** Rows for all of them and their axis; by default those of the terminal, up to 12 for each. */
  readonly rows?: number;
  /** The index of a chart that must be seen: if not all have room, they are drawn page by page. */
  readonly chosen?: number;
}
