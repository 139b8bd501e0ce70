import { readFileSync } from 'node:fs';
import { getBuiltinModule } from 'node:process';
import { tryRead } from '../once.ts';

const BEGIN = '-----BEGIN CERTIFICATE-----';
/** The names of authorities that are shown, at most. */
const MAX_NAMES = 3;
/** The first byte of a certificate in binary form (DER): an ASN.1 sequence. */
const DER_START = 0x30;

/**
 * Says why the file of `NODE_EXTRA_CA_CERTS` does not help with the certificate of a host. Node
 * ignores a file that it cannot read or parse, with a warning at most. Returns undefined if the
 * variable is not set.
 */
export function describeAuthorities(file: string | undefined, host: string): string | undefined {
  if (!file) return undefined;
  const fault = findAuthoritiesFault(file);
  if (fault !== undefined) return fault;
  const names = listAuthorities(readFileSync(file, 'latin1')).join(', ');
  return `NODE_EXTRA_CA_CERTS names ${file}, which has other authorities (${names}) than that of ${host}. Add it there.`;
}

/** Says what is wrong with the file of `NODE_EXTRA_CA_CERTS`, if anything is. */
function findAuthoritiesFault(file: string): string | undefined {
  const said = (fault: string) => `NODE_EXTRA_CA_CERTS names ${file}, ${fault}`;
  const bytes = tryRead(() => readFileSync(file), undefined);
  if (bytes === undefined) return said('which cannot be read. Correct the path, or unset it.');
  if (bytes[0] === DER_START) {
    const convert = `openssl x509 -inform der -in ${file} -out ${file}.pem`;
    return said(`which is in binary form (DER). Convert it: ${convert}`);
  }
  const blocks = splitPem(bytes.toString('latin1'));
  if (blocks.length === 0) return said('which has no certificate in PEM form.');
  const damaged = blocks.findIndex((block) => readSubject(block) === undefined);
  if (damaged < 0) return undefined;
  return said(`whose certificate ${damaged + 1} is damaged. Export it again.`);
}

/** Returns the parts of a file that begin with a certificate; what follows one does not matter. */
function splitPem(text: string): readonly string[] {
  return text
    .split(BEGIN)
    .slice(1)
    .map((part) => BEGIN + part);
}

function listAuthorities(pem: string): readonly string[] {
  const subjects = splitPem(pem).map((block) => readSubject(block) ?? '');
  const names = subjects.map((subject) => {
    const name = /(?:^|\n)CN=(.*)/.exec(subject)?.[1] ?? subject;
    return name.replaceAll('\\', '');
  });
  return names.length > MAX_NAMES ? [...names.slice(0, MAX_NAMES), '…'] : names;
}

function readSubject(block: string): string | undefined {
  const { X509Certificate } = getBuiltinModule('node:crypto');
  return tryRead(() => new X509Certificate(block).subject, undefined);
}
