/** A phone number of which only the first three digits and the last two can be read. */
export function maskedPhone(phone: string): string {
  const [, plus = '', digits = ''] = /^(\+?)(\d*)$/.exec(phone) ?? [];
  return `${plus}${digits.slice(0, 3)}${'*'.repeat(Math.max(0, digits.length - 5))}${digits.slice(3).slice(-2)}`;
}
