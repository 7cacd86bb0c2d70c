// The headers of a delivery, by their names in lower case, from whatever shape a server has them in.

/** `Headers`, or an object as node:http has it. */
export type HeaderSource =
  | Iterable<readonly [string, string]>
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/** `content-type`, `webhook-…` and `flaghoist-…`: no credentials, so that a notification can be logged. */
export type MessageHeaders = Readonly<Record<string, string>>;

export function readHeaders(source: HeaderSource): MessageHeaders {
  const entries: Iterable<readonly [string, string | readonly string[] | undefined]> =
    Symbol.iterator in source ? source : Object.entries(source);
  const headers: [string, string][] = [];
  for (const [given, value] of entries) {
    const name = given.toLowerCase();
    if (value !== undefined && /^(content-type$|webhook-|flaghoist-)/.test(name)) headers.push([name, String(value)]);
  }
  return Object.fromEntries(headers);
}
