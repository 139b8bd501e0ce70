import type { Answer, AnswerStream, Client } from '../http/call.ts';
import { OPERATIONS } from '../spec/operations.ts';
import type { UserLookup } from '../spec/types.ts';

/** Operation 11: the authenticated user, the active organization, and the token in use. */
export function getUser(client: Client, stream?: AnswerStream): Promise<Answer<UserLookup>> {
  return client.call({ operation: OPERATIONS.getUser, stream });
}
