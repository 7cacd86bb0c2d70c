// Reads and renders cookies (RFC 6265).

import type { FastifyRequest } from 'fastify';

/** The first cookie of that name: browsers send the one with the longest path first (§5.4). */
export function readCookie({ headers }: FastifyRequest, name: string): string | undefined {
  for (const pair of (headers.cookie ?? '').split(';')) {
    const [, given, value] = /^\s*([^=]*)=(.*?)\s*$/s.exec(pair) ?? [];
    if (given === name) return value;
  }
  return undefined;
}

export interface SentCookie {
  name: string;
  /** Base64url characters and dots. */
  value: string;
  /** 0 deletes it. */
  maxAgeSeconds: number;
  /** Relative to the base URL. */
  path: string;
  baseUrl: string;
}

/** No script can read it, and no other site can make a browser send it. */
export function renderSetCookie({ name, value, maxAgeSeconds, path, baseUrl }: SentCookie): string {
  const { protocol, pathname } = new URL(baseUrl);
  const attributes = [
    `${name}=${value}`,
    `Path=${pathname.replace(/\/$/, '')}${path}`,
    `Max-Age=${maxAgeSeconds}`,
    'HttpOnly',
    'SameSite=Strict',
    ...(protocol === 'https:' ? ['Secure'] : []),
  ];
  return attributes.join('; ');
}
