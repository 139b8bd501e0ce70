import type { Answer } from 'dns-packet';

/** The data of a record as a zone file has it, the priority apart. */
export interface PresentedData {
  readonly value: string;
  readonly priority?: number | undefined;
}

/** A name in the form in which names are compared: lower case, no last dot; the root is empty. */
export function bareName(name: string): string {
  return name.toLowerCase().replace(/\.$/, '');
}

/**
 * The data of a record in words; `undefined` for types that svc does not ask for. Host names are in lower case and have
 * no last dot, the strings of a TXT record are put together.
 */
export function presentData(answer: Exclude<Answer, { type: 'OPT' }>): PresentedData | undefined {
  switch (answer.type) {
    case 'A':
    case 'AAAA':
      return { value: answer.data };
    case 'CNAME':
    case 'NS':
      return { value: bareName(answer.data) };
    case 'MX':
      return { value: hostName(answer.data.exchange), priority: answer.data.preference ?? 0 };
    case 'SRV': {
      const { priority = 0, weight = 0, port, target } = answer.data;
      return { value: `${weight} ${port} ${hostName(target)}`, priority };
    }
    case 'TXT':
      return { value: Buffer.concat([answer.data].flat().map((part) => Buffer.from(part))).toString('utf8') };
    case 'SOA':
      return { value: `${bareName(answer.data.mname)} ${answer.data.serial ?? 0}` };
    case 'CAA': {
      const { flags = 0, tag, value } = answer.data;
      return { value: `${flags} ${tag} ${JSON.stringify(value)}` };
    }
    case 'DS': {
      const { keyTag, algorithm, digestType, digest } = answer.data;
      return { value: `${keyTag} ${algorithm} ${digestType} ${digest.toString('hex').toUpperCase()}` };
    }
    case 'DNSKEY': {
      const { flags, algorithm, key } = answer.data;
      return { value: `${flags} 3 ${algorithm} ${key.toString('base64')}` };
    }
    default:
      return undefined;
  }
}

/** The root as a target says that there is no such host, and keeps its dot. */
function hostName(name: string): string {
  return bareName(name) || '.';
}
