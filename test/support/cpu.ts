/** Milliseconds of the processor that the work takes, at best of three: what others do on the machine does not count. */
export function cpuTimeOf(work: () => unknown): number {
  const times = Array.from({ length: 3 }, () => {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
  return Math.min(...times);
}
