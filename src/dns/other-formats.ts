/** Formats in which other programs export records, by the first line that says something. */
const FORMATS: readonly (readonly [format: string, firstLine: RegExp])[] = [
  ['a web page or XML', /^</],
  ['a configuration file of BIND (named.conf)', /^(?:zone|options)\b.*\{/],
  ['Terraform', /^(?:resource|provider|terraform)\b.*\{/],
  ['a table of PowerShell', /^HostName\s+RecordType\b/],
  // Its lines begin with the kind of a record, and have colons between their fields.
  ['a data file of tinydns', /^[+=.&@'^CZSN%:36-][^\s:]*\.[^\s:]*:\S/],
  ['YAML', /^(?:---|-\s+\S.*|(?:'[^']*'|"[^"]*"|[^\s:"]+):(?:\s.*)?)$/],
  ['a table (CSV)', /^(?:"[^"]*"|[A-Za-z ]+|[^\s,"]*)(?:,(?:"[^"]*"|[^,"]*)){2,}$/],
  ['a table (CSV)', /^(?:"[^"]*"|[^\s;"]+)(?:;(?:"[^"]*"|[^;"]*)){2,}$/],
  ['a table', /^(?:"?(?:type|name|host|value|content|data|ttl|priority|record)"?(?:\t|$)){3,}/i],
];

/** Blank lines, comments and directives say nothing. */
const SAYS_SOMETHING = /^\ufeff?\s*[^\s;#$]/;

/** The format of a text that is not a zone file, as a noun with its article; undefined for others. */
export function describeOtherFormat(text: string): string | undefined {
  const lines = text.split(/[\r\n]+/).filter((line) => SAYS_SOMETHING.test(line));
  const first = lines[0]?.replace(/^\ufeff/, '') ?? '';
  const found = FORMATS.find(([, firstLine]) => firstLine.test(first.trimEnd()));
  if (found !== undefined) return found[0];

  const isIndented = lines.length > 0 && lines.every((line) => /^\s/.test(line));
  return isIndented
    ? 'an indented text (each line begins with a blank, where names belong)'
    : undefined;
}
