// The ETag of an object, `"<state>.<view>"`. The state covers the object with its sub-objects; the view covers the
// bytes of the response. `If-Match` compares only the state, `If-None-Match` the whole tag.

import { hash } from 'node:crypto';

export function etagOf(state: string, body: Buffer): string {
  return `"${state}.${hash('sha1', body, 'base64url').slice(0, 16)}"`;
}

/** The states that an `If-Match` lists; `*` matches any state. A weak tag never matches (RFC 9110 §13.1.1). */
export function statesOf(ifMatch: string): string[] {
  return splitTags(ifMatch).map((tag) => (tag === '*' ? '*' : (/^"([0-9a-f]+)\.[\w-]+"$/.exec(tag)?.[1] ?? '')));
}

export function isMatched(ifNoneMatch: string, etag: string): boolean {
  return splitTags(ifNoneMatch).some((tag) => tag === '*' || tag.replace(/^W\//, '') === etag);
}

function splitTags(header: string): string[] {
  return header.split(',').map((tag) => tag.trim());
}
