// What a client is made of: the address of a service, who calls it, and how.

import { FlaghoistError } from '../flaghoist-error.ts';
import type { Fetch } from './attempt.ts';

export type ClientOptions = Connection & (ClientCredentials | OwnToken);

export interface Connection {
  /** The base URL of the service, for example `https://flaghoist.example.com`. */
  url: string;
  /** The API version, for example `5.23`. Default: that of the user, else the newest. */
  apiVersion?: string;
  /** Instead of the global `fetch`. */
  fetch?: Fetch;
  /** How long one attempt may take, until its response has been read. Default: 30 seconds. */
  timeoutMs?: number;
  /** How often a request is repeated at most. Default: 3. */
  retries?: number;
  /** Numbers that a double cannot hold are strings in answers: more than 15 digits may get lost otherwise. */
  exactNumbers?: boolean;
  /** The header `User-Agent`. */
  userAgent?: string;
}

export interface ClientCredentials {
  clientId: string;
  clientSecret: string;
  /** Default: that of the installation, which its metadata names. */
  audience?: string;
  /** Scopes, separated by spaces. Default: all that the client has. */
  scope?: string;
}

export interface OwnToken {
  /** A token, or a function that gets one. It is called for each request, and again after a 401. */
  token: string | (() => string | Promise<string>);
}

/** The base URL without a slash at its end. */
export function parseServiceUrl(url: string): string {
  const mistake = findUrlMistake(url);
  if (mistake !== undefined) throw new FlaghoistError('invalidRequest', mistake);
  return new URL(url).href.replace(/\/+$/, '');
}

/** No message repeats the URL, which may contain a password. */
export function findUrlMistake(url: unknown): string | undefined {
  const like = 'Use one like `https://flaghoist.example.com`.';
  if (url === undefined || url === '') return `\`url\` is missing. ${like}`;
  let parsed: URL;
  try {
    parsed = new URL(url as string);
  } catch {
    return `\`url\` is not a URL. ${like}`;
  }
  const isPlain =
    /^https?:$/.test(parsed.protocol) && !(parsed.username || parsed.password || parsed.search || parsed.hash);
  return isPlain ? undefined : `\`url\` must be http or https, without user, query or fragment. ${like}`;
}
