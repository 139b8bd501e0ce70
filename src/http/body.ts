import type { Call } from './call.ts';
import type { WireAnswer } from './send.ts';
import { Unreadable } from './unreadable.ts';

/** Bytes of an answer that is held, unless the call says otherwise. */
const MAX_BYTES = 10 * 1024 * 1024;
/** Bytes above which an answer streams, where there is something to stream to. */
const STREAM_FROM_BYTES = 1024 * 1024;

/** The bytes of an answer, or nothing where they went to the call's stream. */
export interface ReadBody {
  readonly bytes: Buffer;
  readonly streamed: boolean;
}

/** What is told while a body is read. */
export interface ReadOptions extends Pick<Call, 'stream' | 'maxBytes' | 'accept'> {
  /** Called once, before the first bytes go to the stream: from now on there is no second attempt. */
  readonly onStream?: () => void;
}

/**
 * Reads a body to its end. Held up to a limit; from 1 MiB on it goes to the call's stream, if there is one.
 * @throws Unreadable when it is too large or not JSON; Fault when it is cut; what the stream throws.
 */
export async function readBody(answer: WireAnswer, options: ReadOptions): Promise<ReadBody> {
  const limit = options.maxBytes ?? MAX_BYTES;
  const stream = mayStream(answer, options) ? options.stream : undefined;
  const held: Uint8Array[] = [];
  let length = 0;
  let streaming = false;
  for await (const chunk of answer.body) {
    length += chunk.length;
    if (streaming) {
      await stream?.write(chunk);
      continue;
    }
    held.push(chunk);
    if (stream !== undefined && length > STREAM_FROM_BYTES) {
      refuseOtherThanJson(held, options.accept);
      options.onStream?.();
      streaming = true;
      for (const piece of held.splice(0)) await stream.write(piece);
    } else if (length > limit) {
      throw new Unreadable(`is larger than ${limit} bytes`);
    }
  }
  if (streaming) await stream?.end();
  return { bytes: Buffer.concat(held), streamed: streaming };
}

/** Where anything may come, only what calls itself JSON is streamed as JSON. */
function mayStream(answer: WireAnswer, options: ReadOptions): boolean {
  return options.accept !== 'anything' || /\bjson\b/i.test(answer.headers['content-type'] ?? '');
}

/** What was handed on cannot be taken back, so the first character is looked at before. */
function refuseOtherThanJson(held: readonly Uint8Array[], accept: Call['accept']): void {
  const [first] = Buffer.concat(held.slice(0, 1)).toString('latin1').trimStart();
  const expected = accept === undefined || accept === 'object' ? ['{'] : ['{', '['];
  if (first === undefined || !expected.includes(first)) throw new Unreadable('is not JSON');
}
