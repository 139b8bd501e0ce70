import type { Answer, AnswerStream, Client } from '../http/call.ts';
import { OPERATIONS } from '../spec/operations.ts';
import type { DatabaseLookup } from '../spec/types.ts';

/** Operation 10: a database; its credentials are there for owners and admins only. */
export function getDatabase(
  client: Client,
  databaseId: string,
  stream?: AnswerStream,
): Promise<Answer<DatabaseLookup>> {
  return client.call({ operation: OPERATIONS.getDatabase, path: { id: databaseId }, stream });
}
