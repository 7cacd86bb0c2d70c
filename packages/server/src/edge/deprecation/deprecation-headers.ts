// Collects what is deprecated of all that a request uses and its answer shows, and adds the headers that say so:
// `Deprecation` (RFC 9745), `Sunset` (RFC 8594) and a link to the docs. Where there are several, the earliest dates count.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Deprecation, parseDay } from '../../model/deprecation.ts';

/** One deprecated type, attribute or action, and the type in whose section the docs describe it. */
export interface Deprecated {
  readonly typeName: string;
  readonly deprecation: Deprecation;
}

export function noteDeprecated(request: FastifyRequest, found: readonly Deprecated[]): void {
  if (found.length > 0) noted.set(request, [...(noted.get(request) ?? []), ...found]);
}

/** Requests that use nothing deprecated, which are most, are not in it. */
const noted = new WeakMap<FastifyRequest, readonly Deprecated[]>();

/** To be called when all other headers are set. */
export function addDeprecationHeaders(request: FastifyRequest, reply: FastifyReply, baseUrl: string): void {
  const found = noted.get(request);
  if (!found) return;
  const days = (name: 'since' | 'sunset') =>
    found.flatMap(({ deprecation }) => (deprecation[name] === undefined ? [] : parseDay(deprecation[name])!));
  reply.header('deprecation', `@${Math.min(...days('since')) / 1000}`);
  const sunsets = days('sunset');
  if (sunsets.length > 0) reply.header('sunset', new Date(Math.min(...sunsets)).toUTCString());
  const types = new Set(found.map(({ typeName }) => typeName));
  const links = [...types].map((name) => `<${baseUrl}/docs#type-${name}>; rel="deprecation"; type="text/html"`);
  const pages = reply.getHeader('link');
  reply.header('link', [...(pages === undefined ? [] : [String(pages)]), ...links].join(', '));
}
