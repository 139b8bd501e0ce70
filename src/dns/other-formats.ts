/** Formats in which other programs export records, by the first line that says something. */
const FORMATS: readonly (readonly [format: string, isFirstLine: (line: string) => boolean])[] = [
  ['a web page or XML', (line) => line.startsWith('<')],
  ['a configuration file of BIND (named.conf)', (line) => /^(?:zone|options)\b.*\{/.test(line)],
  ['Terraform', (line) => /^(?:resource|provider|terraform)\b.*\{/.test(line)],
  ['a table of PowerShell', (line) => /^HostName\s+RecordType\b/.test(line)],
  ['a data file of tinydns', isTinydns],
  ['YAML', (line) => /^(?:---|-\s+\S.*|(?:'[^']*'|"[^"]*"|[^\s:"]+):(?:\s.*)?)$/.test(line)],
  ['a table (CSV)', (line) => isTable(line, ',') || isTable(line, ';')],
  ['a table', isHeadOfTable],
];

/** Lines that begin with the kind of a record, and have colons between their fields. */
function isTinydns(line: string): boolean {
  const colon = line.indexOf(':');
  const name = line.slice(0, colon);
  return (
    /^[+=.&@'^CZSN%:36-]\S+$/.test(name) && name.includes('.') && /^:\S/.test(line.slice(colon))
  );
}

const MIN_COLUMNS = 3;

/**
 * Whether a line has cells. In a zone file blanks stand behind the first word, and a semicolon
 * begins a comment.
 */
function isTable(line: string, separator: string): boolean {
  const [first = '', ...others] = line.split(separator);
  const isCell = /^(?:"[^"]*"|[A-Za-z ]*|[^\s"]*)$/.test(first);
  return isCell && others.length + 1 >= MIN_COLUMNS;
}

const COLUMN_NAMES = /^"?(?:type|name|host|value|content|data|ttl|priority|record)"?$/i;

function isHeadOfTable(line: string): boolean {
  const cells = line.split('\t');
  return cells.length >= MIN_COLUMNS && cells.every((cell) => COLUMN_NAMES.test(cell));
}

/** Blank lines, comments and directives say nothing. */
const SAYS_SOMETHING = /^\ufeff?\s*[^\s;#$]/;

/**
 * The format of a text that is not a zone file, as a noun with its article; undefined for others.
 */
export function describeOtherFormat(text: string): string | undefined {
  const lines = text.split(/[\r\n]+/).filter((line) => SAYS_SOMETHING.test(line));
  const first = (lines[0]?.replace(/^\ufeff/, '') ?? '').trimEnd();
  const format = FORMATS.find(([, isFirstLine]) => isFirstLine(first));
  if (format !== undefined) return format[0];

  const isIndented = lines.length > 0 && lines.every((line) => /^\s/.test(line));
  if (!isIndented) return undefined;
  return 'an indented text (each line begins with a blank, where names belong)';
}
