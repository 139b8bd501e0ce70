/**
 * Reads a stream to its end. Returns undefined, and reads no further, if it has more bytes.
 * @param chunks receives what arrives, for a caller that can use a part of a broken stream
 */
export async function collectBytes(
  stream: AsyncIterable<Uint8Array>,
  maxBytes: number,
  chunks: Uint8Array[] = [],
): Promise<Buffer | undefined> {
  let length = 0;
  for await (const chunk of stream) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > maxBytes) return undefined;
  }
  return Buffer.concat(chunks);
}
