// Keeps values that are read from the database as bytes, many in one piece of memory: a piece for each would cost the collector more
// than reading them does. A piece is freed when none of its values is used any more; pieces are small, so that a value that is kept
// for long does little harm.

const pieceBytes = 65_536;
/** Larger ones have a piece of their own. */
const sharedBytesMax = pieceBytes / 4;

let piece = Buffer.alloc(0);
let used = 0;

/** A copy of what stands in `received` for a moment only. */
export function keepBytes(received: Buffer, begin: number, end: number): Buffer {
  const length = end - begin;
  if (length > sharedBytesMax) return Buffer.from(received.subarray(begin, end));
  if (used + length > piece.length) {
    piece = Buffer.allocUnsafeSlow(pieceBytes);
    used = 0;
  }
  const bytes = piece.subarray(used, used + length);
  received.copy(piece, used, begin, end);
  used += length;
  return bytes;
}
