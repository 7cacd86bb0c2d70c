// Finds any of very many texts in bytes, in one walk over them: thousands of searches for each of many thousand rows
// take minutes.

export interface Needle {
  readonly bytes: Buffer;
  readonly name: string;
}

export class Needles {
  /** By the first bytes of each. */
  readonly #byStart = new Map<number, Needle[]>();
  /** Whether one begins with bytes that are mixed to this. Most places in what is searched are done with here. */
  readonly #mayStart = new Uint8Array(65_536);
  #longest = 0;

  /** How many bytes the longest has. */
  get longest(): number {
    return this.#longest;
  }

  add(needle: Needle): void {
    const { bytes } = needle;
    if (bytes.length < startBytes) throw new Error(`${needle.name} is too short to be searched for.`);
    const start = bytes.readUInt32LE(0);
    const others = this.#byStart.get(start) ?? [];
    if (others.some((other) => other.bytes.equals(bytes))) return;
    this.#byStart.set(start, [...others, needle]);
    this.#mayStart[mixed(start)] = 1;
    this.#longest = Math.max(this.#longest, bytes.length);
  }

  /** `seen`: how many bytes were searched before; what lies in them altogether is not told again. */
  *findIn(bytes: Buffer, seen = 0): Iterable<{ needle: Needle; at: number }> {
    for (let at = Math.max(0, seen - this.#longest + 1); at + startBytes <= bytes.length; at += 1) {
      const start = bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
      if (this.#mayStart[mixed(start)] === 0) continue;
      for (const needle of this.#byStart.get(start >>> 0) ?? []) {
        const end = at + needle.bytes.length;
        if (end > seen && end <= bytes.length && needle.bytes.compare(bytes, at, end) === 0) yield { needle, at };
      }
    }
  }
}

const startBytes = 4;

function mixed(start: number): number {
  return (start ^ (start >>> 13)) & 0xffff;
}
