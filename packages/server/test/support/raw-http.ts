// HTTP without an HTTP client: bytes go out exactly as they are written, and what comes back is taken apart by hand.
// For requests that no client would send.

import { connect, type Socket } from 'node:net';

export interface RawAnswer {
  status: number;
  headers: Headers;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  body: any;
}

export interface Conversation {
  answers: RawAnswer[];
  /** Whether the service ended the connection. */
  isClosed: boolean;
}

export interface ConversationOptions {
  /** How many answers to wait for; without it, until the service ends the connection. */
  answers?: number;
  /** The answers have no body, whatever their headers say. */
  isHead?: boolean;
}

/** Sends the bytes and collects the answers. One that does not come within 10 s is a hang, and fails. */
export function converse(
  url: string,
  bytes: string | Buffer,
  options: ConversationOptions = {},
): Promise<Conversation> {
  return new Promise((resolve, reject) => {
    const socket = openSocket(url);
    let received = Buffer.alloc(0);
    const read = () => readAnswers(received, options.isHead ?? false);
    const hang = setTimeout(
      () => end(() => reject(new Error(`No answer in 10 s, only ${JSON.stringify(received.toString('latin1'))}.`))),
      10_000,
    );
    const end = (settle: () => void) => {
      clearTimeout(hang);
      socket.destroy();
      settle();
    };
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk]);
      const { answers } = read();
      if (options.answers !== undefined && answers.length >= options.answers)
        end(() => resolve({ answers, isClosed: false }));
    });
    // A reset after the answer is an end like any other; `close` follows.
    socket.on('error', () => undefined);
    socket.on('close', () => {
      const { answers, rest } = read();
      end(() =>
        rest.length === 0
          ? resolve({ answers, isClosed: true })
          : reject(new Error(`The connection ended in the middle of an answer: ${rest.toString('latin1')}`)),
      );
    });
    socket.write(bytes);
  });
}

/** The request with this token, right behind its request line. */
export function withToken(token: string, request: string): string {
  return request.replace('\r\n', `\r\nAuthorization: Bearer ${token}\r\n`);
}

export function openSocket(url: string): Socket {
  const { hostname, port } = new URL(url);
  return connect({ host: hostname, port: Number(port) });
}

/** The complete answers at the start of the bytes, and what is left. Interim answers (1xx) are passed over. */
export function readAnswers(bytes: Buffer, isHead = false): { answers: RawAnswer[]; rest: Buffer } {
  const answers: RawAnswer[] = [];
  let rest = bytes;
  while (rest.length > 0) {
    const next = readAnswer(rest, isHead);
    if (!next) break;
    rest = next.rest;
    if (next.answer.status >= 200) answers.push(next.answer);
  }
  return { answers, rest };
}

function readAnswer(bytes: Buffer, isHead: boolean): { answer: RawAnswer; rest: Buffer } | undefined {
  const headEnd = bytes.indexOf('\r\n\r\n');
  if (headEnd < 0) return undefined;
  const [statusLine = '', ...lines] = bytes.subarray(0, headEnd).toString('latin1').split('\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1]);
  const headers = new Headers(lines.map((line) => splitHeader(line)));
  const isBodiless = isHead || status < 200 || status === 204 || status === 304;
  const bodyEnd = headEnd + 4 + (isBodiless ? 0 : Number(headers.get('content-length')));
  if (bytes.length < bodyEnd) return undefined;
  const text = bytes.subarray(headEnd + 4, bodyEnd).toString();
  const body = /^[[{]/.test(text) ? JSON.parse(text) : text;
  return { answer: { status, headers, text, body }, rest: bytes.subarray(bodyEnd) };
}

function splitHeader(line: string): [string, string] {
  const colon = line.indexOf(':');
  return [line.slice(0, colon), line.slice(colon + 1).trim()];
}
