/**
 * How long a process lives, from those that have ended: the shortest time. What is killed within a part of it is killed
 * while it runs, on a fast machine and on a slow one, even if one of them was held up.
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
