// Copies values that are read from the database, many into one piece of memory. A piece for each value would cost the
// garbage collector more than reading the values does. A piece is freed when none of its values is in use; pieces are
// small, so a long-lived value retains little memory.

const pieceBytes = 65_536;
/** Larger values get their own piece. */
const sharedBytesMax = pieceBytes / 4;

let piece = Buffer.alloc(0);
let used = 0;

/** Returns a copy, because the driver reuses `received`. */
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
