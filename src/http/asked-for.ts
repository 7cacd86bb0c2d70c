// What a request asks to be shown, read from its query and headers. Programs ask the same again and again, so what was
// understood is remembered, and with it the statement that was made from it (`objects/` keeps those by request and view).

import type { FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { ApiError } from '../errors.ts';
import type { ObjectType } from '../model/object-type.ts';
import { type ListLimits, type ListRequest, parseListRequest, parseReadRequest } from '../query/list-request.ts';
import type { View } from '../query/view.ts';
import { readQuery } from './request-query.ts';

export interface AskedFor {
  /** `onlyUser`: whose objects alone are listed. */
  list(type: ObjectType, request: FastifyRequest, onlyUser: number | undefined): ListRequest;
  /** Of one object, or of the answer to a write. */
  view(type: ObjectType, request: FastifyRequest): View;
}

/** Measured on a list of 100 with one filter: 95 of 820 µs went into understanding and compiling it anew each time. */
const rememberedMax = 500;

/** Longer ones are seldom asked twice. */
const rememberedLengthMax = 2_000;

export function understandRequests(limits: ListLimits): AskedFor {
  const lists = new LRUCache<string, ListRequest>({ max: rememberedMax });
  const views = new LRUCache<string, View>({ max: rememberedMax });
  return {
    list: (type, request, onlyUser) =>
      remembered(lists, { type, onlyUser }, request, (headers) =>
        parseListRequest(type, readQuery(request.url), headers, limits, onlyUser),
      ),
    view: (type, request) =>
      remembered(views, { type, onlyUser: undefined }, request, (headers) =>
        parseReadRequest(type, readQuery(request.url), headers),
      ),
  };
}

/** What is asked for, beside the request itself. */
interface Subject {
  type: ObjectType;
  onlyUser: number | undefined;
}

/** Callers of another API version see another type of the same name. */
function nameOf({ type, onlyUser }: Subject): string {
  let name = typeNames.get(type);
  if (name === undefined) {
    typesNamed += 1;
    name = `${type.name} ${typesNamed}`;
    typeNames.set(type, name);
  }
  return onlyUser === undefined ? name : `${name} of ${onlyUser}`;
}

const typeNames = new WeakMap<ObjectType, string>();
let typesNamed = 0;

interface Headers {
  fields: string | undefined;
  noCount: string | undefined;
}

function remembered<T extends object>(
  cache: LRUCache<string, T>,
  subject: Subject,
  request: FastifyRequest,
  parse: (headers: Headers) => T,
): T {
  const headers = {
    fields: singleHeader('fields', request.headers.fields),
    noCount: singleHeader('noCount', request.headers.nocount),
  };
  const start = request.url.indexOf('?');
  const query = start < 0 ? '' : request.url.slice(start);
  // No header holds a NUL: it stands for one that is not there.
  const name = [nameOf(subject), query, headers.fields ?? '\0', headers.noCount ?? '\0'].join('\n');
  const known = cache.get(name);
  if (known) return known;
  const understood = parse(headers);
  if (name.length <= rememberedLengthMax) cache.set(name, understood);
  return understood;
}

export function singleHeader(name: string, header: string | string[] | undefined): string | undefined {
  if (Array.isArray(header)) throw new ApiError('invalidHeader', `The header "${name}" is given twice.`);
  return header;
}
