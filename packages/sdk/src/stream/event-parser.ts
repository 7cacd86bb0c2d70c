// Parses server-sent events (the `text/event-stream` of the HTML standard, 9.2.6), in whatever pieces they arrive.
//
//   stream  = [ BOM ] *event
//   event   = *( comment / field ) end-of-line
//   comment = ":" *any-char end-of-line
//   field   = 1*name-char [ ":" [ space ] *any-char ] end-of-line
//   end-of-line = CR LF / CR / LF

import { FlaghoistError } from '../flaghoist-error.ts';

export interface ServerEvent {
  /** `message` if it is not named. */
  event: string;
  data: string;
}

/** A notification has at most 64 MiB, and is quoted in an event. */
const lengthMax = 256 * 1024 * 1024;

export class EventParser {
  readonly #decoder = new TextDecoder();
  /** Of the line that has not ended: pieces, so that a long one is joined once. */
  #line: string[] = [];
  /** Of the event that has not ended. */
  #length = 0;
  #endedWithReturn = false;
  #event = '';
  #data: string[] = [];
  #retryMs: number | undefined;

  /** How long the server asks to wait before the next connection. */
  get retryMs(): number | undefined {
    return this.#retryMs;
  }

  /** The events that end in this piece. */
  parse(piece: Uint8Array): ServerEvent[] {
    let text = this.#decoder.decode(piece, { stream: true });
    if (text === '') return [];
    if (this.#endedWithReturn && text.startsWith('\n')) text = text.slice(1);
    this.#endedWithReturn = text.endsWith('\r');
    const lines = text.split(/\r\n|\r|\n/);
    const rest = lines.pop()!;
    const events: ServerEvent[] = [];
    for (const line of lines) {
      const whole = this.#line.join('') + line;
      this.#line = [];
      if (whole !== '') this.#readField(whole);
      else this.#endEvent(events);
    }
    if (rest !== '') this.#line.push(rest);
    this.#length += text.length;
    if (this.#length > lengthMax)
      throw new FlaghoistError('invalidAnswer', `An event of the stream has more than ${lengthMax} characters.`);
    return events;
  }

  #readField(line: string): void {
    const colon = line.indexOf(':');
    const name = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1);
    if (name === 'data') this.#data.push(value);
    else if (name === 'event') this.#event = value;
    else if (name === 'retry' && /^\d{1,9}$/.test(value)) this.#retryMs = Number(value);
  }

  /** Without data, it is none. */
  #endEvent(events: ServerEvent[]): void {
    if (this.#data.length > 0) events.push({ event: this.#event || 'message', data: this.#data.join('\n') });
    this.#event = '';
    this.#data = [];
    this.#length = 0;
  }
}
