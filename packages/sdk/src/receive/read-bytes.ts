// Reads a body of a limited size.

/** The most that a service can be set to send is 64 MiB; its default is 1 MiB. */
export const bodyBytesMaxDefault = 16 * 1024 * 1024;

/** Undefined if there are more bytes. What is left is then not read, and the iterator stays open. */
export async function readBytes(chunks: AsyncIterable<Uint8Array>, bytesMax: number): Promise<Uint8Array | undefined> {
  const read: Uint8Array[] = [];
  let length = 0;
  // Not `for await`: leaving it would close the connection of a request in Node before it can be answered.
  const iterator = chunks[Symbol.asyncIterator]();
  for (let next = await iterator.next(); !next.done; next = await iterator.next()) {
    length += next.value.length;
    if (length > bytesMax) return undefined;
    read.push(next.value);
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of read) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}
