// Lists objects in one statement.

import type { Statement } from '../database/database.ts';
import type { OnReceived } from '../database/statement-batch.ts';
import { entryOf } from '../entry-of.ts';
import { ApiError } from '../errors.ts';
import { renderCursor } from '../query/cursor.ts';
import { isByDay } from '../query/kept-days.ts';
import type { ListRequest } from '../query/list-request.ts';
import { compileList, splitList } from '../query/list-statement.ts';
import { objectsMax } from '../query/page.ts';
import { renderLinks } from '../query/page-links.ts';
import type { Caller } from './caller.ts';
import type { ObjectsContext } from './objects-context.ts';

export interface ListAnswer {
  /** A JSON array. */
  body: Buffer;
  /** The number of all matches, if they were counted. */
  total: string | undefined;
  /** The value of the `Link` header, if the request asked for a page. */
  links: string | undefined;
}

export async function listObjects(
  { database, days, links }: ObjectsContext,
  request: ListRequest,
  caller?: Caller,
  onReceived?: OnReceived,
): Promise<ListAnswer> {
  const statement = isByDay(request)
    ? compileList(request, links, await days.of(request.type))
    : entryOf(compiled, request, () => compileList(request, links));
  const rows = await database.run({ ...statement, onReceived }, caller);
  const { head, objects } = splitList(rows);
  const { has_more, cursor } = head;
  if (has_more && request.page.limit === undefined) {
    throw new ApiError(
      'tooManyObjects',
      `The list has more than ${objectsMax} objects. Narrow it with filter, or page through it with limit and ` +
        'pageNumber.',
    );
  }
  const next = cursor === null ? undefined : renderCursor(cursor, request.mark);
  const total = head.total ?? undefined;
  const outcome = { total: total === undefined ? undefined : Number(total), next };
  return {
    body: joinArray(objects),
    total,
    links: renderLinks(`${links.restUrl}/${request.type.name}`, request.query, request.page, outcome),
  };
}

function joinArray(objects: readonly Buffer[]): Buffer {
  const elements = objects.flatMap((object, index) => (index === 0 ? [object] : [comma, object]));
  return Buffer.concat([Buffer.from('['), ...elements, Buffer.from(']')]);
}

const comma = Buffer.from(',');

/** A repeated request is the same object each time. A process has one set of links. */
const compiled = new WeakMap<ListRequest, Statement>();
