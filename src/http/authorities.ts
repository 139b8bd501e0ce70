import { readFileSync } from 'node:fs';
import { getBuiltinModule } from 'node:process';
import { tryOr } from '../errors.ts';

const BEGIN = '-----BEGIN CERTIFICATE-----';
/** The first byte of a certificate in binary form (DER): an ASN.1 sequence. */
const DER_START = 0x30;

/**
 * Says why the file of `NODE_EXTRA_CA_CERTS` does not help with the certificate of a host. Node
 * ignores a file that it cannot read or parse, with a warning at most. Returns undefined if the
 * variable is not set.
 */
export function describeAuthorities(file: string | undefined, host: string): string | undefined {
  if (!file) return undefined;
  const missing = `NODE_EXTRA_CA_CERTS names ${file}, which does not have the authority of ${host}. Add it there.`;
  return findAuthoritiesProblem(file) ?? missing;
}

/** Says what is wrong with the file of `NODE_EXTRA_CA_CERTS`, if anything is. */
export function findAuthoritiesProblem(file: string): string | undefined {
  const describe = (problem: string) => `NODE_EXTRA_CA_CERTS names ${file}, ${problem}`;
  const bytes = tryOr(() => readFileSync(file), undefined);
  if (bytes === undefined) return describe('which cannot be read. Correct the path, or unset it.');
  if (bytes[0] === DER_START) {
    const convert = `openssl x509 -inform der -in ${file} -out ${file}.pem`;
    return describe(`which is in binary form (DER). Convert it: ${convert}`);
  }
  // What follows a certificate does not matter.
  const [, ...blocks] = bytes.toString('latin1').split(BEGIN);
  if (blocks.length === 0) return describe('which has no certificate in PEM form.');
  const { X509Certificate } = getBuiltinModule('node:crypto');
  const damaged = blocks.findIndex(
    (block) => tryOr(() => new X509Certificate(BEGIN + block), undefined) === undefined,
  );
  if (damaged < 0) return undefined;
  return describe(`whose certificate ${damaged + 1} is damaged. Export it again.`);
}
