// Keeps the output of the engine within a limit: its beginning and its end. An error of the engine comes last, after
// all messages of the stylesheet.

/** The limit for the beginning. Of the end, up to twice as much is kept. */
const partCharsMax = 8_000;

export class EngineOutput {
  // One character per byte, because a UTF-8 character may arrive in two parts.
  #beginning = '';
  #end = '';
  #isCut = false;

  add(bytes: string): void {
    const left = partCharsMax - this.#beginning.length;
    if (left > 0) this.#beginning += bytes.slice(0, left);
    if (left < bytes.length) this.#end += bytes.slice(left);
    if (this.#end.length <= partCharsMax * 2) return;
    this.#end = this.#end.slice(-partCharsMax);
    this.#isCut = true;
  }

  /** Returns everything since the last call. */
  take(): string {
    const bytes = `${this.#beginning}${this.#isCut ? '\n' : ''}${this.#end}`;
    this.#beginning = '';
    this.#end = '';
    this.#isCut = false;
    return Buffer.from(bytes, 'latin1').toString();
  }
}
