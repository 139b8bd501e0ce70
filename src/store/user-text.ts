import { isUtf8 } from 'node:buffer';
import { usageError } from '../errors.ts';

/**
 * Reads the text of a file that a person made: UTF-8 with or without a mark, or UTF-16 with one, as
 * Windows PowerShell writes it.
 * @param name the file in messages
 * @throws CliError `usage` for other bytes: what stands for them would be sent in their place
 */
export function decodeUserText(bytes: Buffer, name: string): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return decodeUtf16(bytes.subarray(2), name);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) {
    return decodeUtf16(swapPairs(bytes.subarray(2)), name);
  }
  if (bytes.includes(0)) {
    throw notTextError(`${name} has a byte 0 in it: it is no text, or UTF-16 without a mark.`);
  }

  if (!isUtf8(bytes)) {
    throw notTextError(`${name} is not UTF-8 text, from line ${findLine(bytes)} on.`);
  }
  return bytes.toString('utf8').replace(/^\uFEFF/, '');
}

function notTextError(message: string) {
  return usageError(message, 'Nothing was sent. Save the file as UTF-8.');
}

function decodeUtf16(littleEndian: Buffer, name: string): string {
  const text = littleEndian.toString('utf16le');
  const isWhole = littleEndian.length % 2 === 0 && text.isWellFormed();
  if (!isWhole) throw notTextError(`${name} begins as UTF-16 text does, and is none.`);
  return text;
}

/** Leaves an odd number of bytes as it is: {@link decodeUtf16} refuses it. */
function swapPairs(bytes: Buffer): Buffer {
  return bytes.length % 2 === 0 ? Buffer.from(bytes).swap16() : bytes;
}

/** Finds the line of the first byte that is no UTF-8, from 1. */
function findLine(bytes: Buffer): number {
  const lines = bytes.toString('latin1').split('\n');
  return lines.findIndex((line) => !isUtf8(Buffer.from(line, 'latin1'))) + 1;
}
