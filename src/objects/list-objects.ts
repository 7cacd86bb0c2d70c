// Lists objects in one statement.

import type { Statement } from '../database/database.ts';
import { ApiError } from '../errors.ts';
import { renderCursor } from '../query/cursor.ts';
import type { ListRequest } from '../query/list-request.ts';
import { compileList, type ListRow } from '../query/list-statement.ts';
import { objectsMax } from '../query/page.ts';
import { renderLinks } from '../query/page-links.ts';
import type { Links } from '../query/view-columns.ts';
import type { ObjectsContext } from './objects-context.ts';

export interface ListAnswer {
  /** A JSON array. */
  body: string;
  /** Of all matches, if they were counted. */
  total: string | undefined;
  /** The value of the `Link` header, if the list was asked for in pages. */
  links: string | undefined;
}

export async function listObjects({ database, links }: ObjectsContext, request: ListRequest): Promise<ListAnswer> {
  const [row] = (await database.run(listStatement(request, links))) as unknown as ListRow[];
  const { total, objects, has_more, cursor } = row!;
  if (has_more && request.page.limit === undefined) {
    throw new ApiError(
      'tooManyObjects',
      `The list has more than ${objectsMax} objects. Narrow it with filter, or page through it with limit and pageNumber.`,
    );
  }
  const next = cursor === null ? undefined : renderCursor(cursor, request.mark);
  const outcome = { total: total === undefined ? undefined : Number(total), next };
  return {
    body: `[${objects}]`,
    total,
    links: renderLinks(`${links.restUrl}/${request.type.name}`, request.query, request.page, outcome),
  };
}

/** Requests that are asked again are the same object each time. One process has one set of links. */
const compiled = new WeakMap<ListRequest, Statement>();

function listStatement(request: ListRequest, links: Links): Statement {
  let statement = compiled.get(request);
  if (!statement) {
    statement = compileList(request, links);
    compiled.set(request, statement);
  }
  return statement;
}
