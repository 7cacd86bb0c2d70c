// What the engine has said, however much that is: the beginning and the end of it. What it complains of comes last, after all that the
// stylesheet itself had to say.

/** Of the beginning; and of the end, where up to twice as much is kept. */
const partCharsMax = 8_000;

export class SaidText {
  // Byte for byte: a character may be said in two parts.
  #beginning = '';
  #end = '';
  #isCut = false;

  add(bytes: string): void {
    const room = partCharsMax - this.#beginning.length;
    if (room > 0) this.#beginning += bytes.slice(0, room);
    if (room < bytes.length) this.#end += bytes.slice(room);
    if (this.#end.length <= partCharsMax * 2) return;
    this.#end = this.#end.slice(-partCharsMax);
    this.#isCut = true;
  }

  /** All of it since this was asked last. */
  take(): string {
    const bytes = `${this.#beginning}${this.#isCut ? '\n' : ''}${this.#end}`;
    this.#beginning = '';
    this.#end = '';
    this.#isCut = false;
    return Buffer.from(bytes, 'latin1').toString();
  }
}
