/**
 * The shortest life of processes that have ended: what is killed within it is killed while it runs,
 * on any machine.
 */
export function lifetimes() {
  let shortest = Number.POSITIVE_INFINITY;
  return {
    /** Milliseconds; infinite until one has ended. */
    shortest: () => shortest,
    /** Starts the watch for a process; call what is returned when it has ended by itself. */
    start(): () => void {
      const startedAt = performance.now();
      return () => {
        shortest = Math.min(shortest, performance.now() - startedAt);
      };
    },
  };
}
