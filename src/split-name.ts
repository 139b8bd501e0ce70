/**
 * Splits a name at its signs and capitals into words in lower case: `cpuPercent`, `cpu_percent` and
 * `CPUPercent` are all `cpu`, `percent`. The plural of capitals is one word, as in `IOPs`.
 */
export function splitName(name: string): string[] {
  return name
    .replace(/([a-z\d])([A-Z])|([A-Z])(?=[A-Z](?!s(?![a-z]))[a-z])/g, '$1$3 $2')
    .toLowerCase()
    .split(/[^\p{Letter}\p{Number}]+/u)
    .filter((word) => word !== '');
}
