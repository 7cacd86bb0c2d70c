// The body of a notification in two parts: its own start, and a content that other bodies may share.

export interface Body {
  readonly start: string;
  readonly content: Content;
}

/** One object for all bodies that share it: it is encoded and stored once for them. */
export class Content {
  readonly text: string;
  #bytes: Buffer | undefined;

  constructor(text: string) {
    this.text = text;
  }

  get bytes(): Buffer {
    this.#bytes ??= Buffer.from(this.text);
    return this.#bytes;
  }
}

/** A body that shares nothing, or only as a whole. */
export function bodyOf(text: string): Body {
  return { start: '', content: new Content(text) };
}

export function textOf({ start, content }: Body): string {
  return start + content.text;
}

export function bytesOf({ start, content }: Body): Buffer {
  return start === '' ? content.bytes : Buffer.concat([Buffer.from(start), content.bytes]);
}
