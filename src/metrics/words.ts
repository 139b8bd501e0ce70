/**
 * The words of a field name in lower case: `cpuPercent`, `cpu_percent` and `cpu.percent` are all `cpu`, `percent`.
 * Unlike in names of secrets, capitals in a row are never cut: `IOPs` is one word, which people type as `iops`.
 */
export function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
}
