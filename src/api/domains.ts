import type { Answer, AnswerStream, Client } from '../http/call.ts';
import { OPERATIONS } from '../spec/operations.ts';
import type { DnsRecord, DomainScan, StagedDomain } from '../spec/types.ts';

/** Operation 4, as a call: probes the existing zone of an apex domain. */
export function scanCall(domain: string) {
  return { operation: OPERATIONS.scanDomain, body: { domain } };
}

/** Operation 4: probes the existing zone of an apex domain; changes nothing. */
export function scanDomain(client: Client, domain: string, stream?: AnswerStream): Promise<Answer<DomainScan>> {
  return client.call({ ...scanCall(domain), stream });
}

/** Operation 5, as a call: stages records on the service's DNS. The nameservers are switched later, at the registrar. */
export function stagingCall(serviceId: string, domain: string, records: readonly DnsRecord[]) {
  return { operation: OPERATIONS.stageDomain, path: { id: serviceId, domain }, body: { records } };
}

/** Operation 5: sends a staging call. Answers the nameservers to set, and what was staged. */
export function stageDomain(client: Client, call: ReturnType<typeof stagingCall>): Promise<Answer<StagedDomain>> {
  return client.call(call);
}
