// Reads the headers that a subscriber wants to be sent along. The values are encrypted and shown as ***. No message
// repeats a value.

import { joinPath } from '../../json/join-path.ts';
import { type JsonObject, type JsonValue, NumberLiteral } from '../../json/parse-json.ts';
import { nameOf } from '../../objects/check-scalar.ts';
import type { Mistake } from '../../objects/mistake.ts';
import { placeholder } from './placeholder.ts';

/** Header name → value, in the order in which they were sent. */
export type Headers = Readonly<Record<string, string>>;

export interface ReadHeaders {
  /** Null: none any more. Undefined: not sent, or not valid. */
  headers: Headers | null | undefined;
  mistakes: Mistake[];
}

const countMax = 20;
const bytesMax = 4_096;

/** `readStored`: the headers as stored; undefined if they cannot be decrypted. */
export function readHeaders(sent: JsonValue | undefined, readStored: () => Headers | undefined): ReadHeaders {
  if (sent === undefined || sent === null) return { headers: sent, mistakes: [] };
  if (!(sent instanceof Map)) return rejected(`must be an object of header names and values, not ${nameOf(sent)}.`);
  if (sent.size > countMax) return rejected(`may be at most ${countMax} headers; these are ${sent.size}.`);
  const stored = [...sent.values()].includes(placeholder) ? readStored() : undefined;
  const { headers, mistakes } = readEach(sent, stored ?? {});
  const bytes = [...headers].reduce((sum, [name, value]) => sum + name.length + value.length, 0);
  if (bytes > bytesMax)
    mistakes.push({ name: 'headers', message: `may have at most ${bytesMax} bytes in all; these have ${bytes}.` });
  if (mistakes.length > 0) return { headers: undefined, mistakes };
  return { headers: headers.size === 0 ? null : Object.fromEntries(headers), mistakes };
}

/** As stored in the column `headers`, which is shown. */
export function maskHeaders(headers: Headers | null): string | null {
  return headers && JSON.stringify(Object.fromEntries(Object.keys(headers).map((name) => [name, placeholder])));
}

function readEach(sent: JsonObject, stored: Headers): { headers: Map<string, string>; mistakes: Mistake[] } {
  const headers = new Map<string, string>();
  const mistakes: Mistake[] = [];
  const seen = new Set<string>();
  for (const [name, value] of sent) {
    const message =
      checkName(name, seen) ?? checkValue(value) ?? (value === placeholder ? checkStored(name, stored) : '');
    seen.add(name.toLowerCase());
    if (message) mistakes.push({ name: joinPath('headers', name), message });
    else headers.set(name, value === placeholder ? storedValue(name, stored)! : (value as string));
  }
  return { headers, mistakes };
}

function checkName(name: string, seen: ReadonlySet<string>): string | undefined {
  const lower = name.toLowerCase();
  if (!/^[a-z0-9!#$%&'*+.^_`|~-]+$/.test(lower)) return 'is not a header name: letters, digits and - are.';
  if (seen.has(lower)) return 'is there twice; the case of a name does not matter.';
  if (ownHeaders.has(lower) || ownPrefixes.some((prefix) => lower.startsWith(prefix)))
    return 'cannot be set: the service sets this header itself, or the protocol does.';
  return undefined;
}

function checkValue(value: JsonValue): string | undefined {
  if (value instanceof NumberLiteral) return 'must be text: put the number in quotes.';
  if (typeof value !== 'string') return `must be text, not ${nameOf(value)}.`;
  if (!/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(value))
    return 'must be visible ASCII characters, with spaces only between them.';
  return undefined;
}

function checkStored(name: string, stored: Headers): string | undefined {
  return storedValue(name, stored) === undefined
    ? 'has no stored value that *** could stand for: send the value.'
    : undefined;
}

function storedValue(name: string, stored: Headers): string | undefined {
  const lower = name.toLowerCase();
  return Object.entries(stored).find(([other]) => other.toLowerCase() === lower)?.[1];
}

/** What the service sets, and what frames the message or belongs to the connection (RFC 9110 §7.6.1). */
const ownHeaders: ReadonlySet<string> = new Set([
  'accept-encoding',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'cookie',
  'date',
  'expect',
  'host',
  'http2-settings',
  'keep-alive',
  'te',
  'traceparent',
  'tracestate',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'user-agent',
  'via',
]);
const ownPrefixes = ['webhook-', 'flaghoist-', 'proxy-', 'sec-'];

function rejected(message: string): ReadHeaders {
  return { headers: undefined, mistakes: [{ name: 'headers', message }] };
}
