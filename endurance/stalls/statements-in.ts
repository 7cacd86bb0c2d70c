// Names the statements in a chunk of the PostgreSQL protocol: by the name of a prepared statement, or by its text.

const parse = 'P'.charCodeAt(0);
const bind = 'B'.charCodeAt(0);

/** The same text for the same statements. A chunk that does not start with a message gives the empty text. */
export function statementsIn(chunk: Buffer): string {
  const names: string[] = [];
  // A message is its type, the length of the rest, and the rest.
  for (let at = 0; at + 5 < chunk.length; at += 1 + chunk.readUInt32BE(at + 1)) {
    if (chunk[at] !== parse && chunk[at] !== bind) continue;
    const [first, second] = chunk.toString('latin1', at + 5, Math.min(chunk.length, at + 200)).split('\0');
    // Parse has a name and a text. Bind has a portal, which we leave unnamed, and the name of a statement.
    names.push(first || second!);
  }
  return names.join('; ');
}
