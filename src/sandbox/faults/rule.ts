/** What a fault does to a request. "After the work" means that the request took effect although its answer says no. */
export type Effect =
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly afterWork: boolean;
      /** The value of `error` in the body. */
      readonly error: string | undefined;
      /** The `Retry-After` header, in seconds. */
      readonly retryAfterSeconds: number | undefined;
    }
  | { readonly kind: 'drop'; readonly afterWork: boolean }
  | { readonly kind: 'delay'; readonly ms: number }
  | { readonly kind: 'garbage' }
  | { readonly kind: 'cut' };

/** A fault on request; made by `parseFault`. */
export interface Fault {
  /** As it was written. */
  readonly text: string;
  /** The names of the operations that it strikes. */
  readonly operations: readonly string[];
  readonly effect: Effect;
  /** How many requests it lets pass before it strikes. */
  readonly skip: number;
  /** How many requests it strikes; `Infinity` for all. */
  readonly times: number;
}

/** Counts the requests and tells which fault, if any, strikes one. */
export interface FaultPlan {
  /** The fault for the next request to an operation: the first rule, in the order given, that still has one. */
  take(operation: string): Fault | undefined;
}

/** A plan that starts counting now. */
export function planFaults(faults: readonly Fault[]): FaultPlan {
  const counted = faults.map((fault) => ({ fault, skip: fault.skip, left: fault.times }));
  return {
    take(operation) {
      const due = counted.filter(({ fault, left }) => left > 0 && fault.operations.includes(operation));
      const strikes = due.find(({ skip }) => skip === 0);
      for (const rule of due) if (rule.skip > 0) rule.skip -= 1;
      if (strikes !== undefined) strikes.left -= 1;
      return strikes?.fault;
    },
  };
}
