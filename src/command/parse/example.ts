/** How a value is given: behind its flag, after `=` for a variable, and as it is for an argument. */
export function example(field: string, value: string): string {
  if (field.startsWith('-')) return `${field} ${value}`;
  return /^[A-Z][A-Z0-9_]*$/.test(field) ? `${field}=${value}` : value;
}
