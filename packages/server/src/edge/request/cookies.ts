// Reads and renders cookies (RFC 6265).

import type { FastifyRequest } from 'fastify';

/** Undefined also if two have that name: another host of the domain may have set one with a longer path. */
export function readCookie({ headers }: FastifyRequest, name: string): string | undefined {
  const values = (headers.cookie ?? '').split(';').flatMap((pair) => {
    const [, given, value] = /^\s*([^=]*)=(.*?)\s*$/s.exec(pair) ?? [];
    return given === name ? [value] : [];
  });
  return values.length === 1 ? values[0] : undefined;
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
