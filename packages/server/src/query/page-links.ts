// Renders the `Link` header of a page (RFC 8288): first, prev, next and last. Each link repeats the query as sent,
// except for the page.

import type { Page } from './page.ts';
import type { QueryParameter } from './query-parameter.ts';

export interface PageOutcome {
  /** The number of all matches, if they were counted. */
  total: number | undefined;
  /** The `after` of the next page, if there is one. */
  next: string | undefined;
}

/** Returns undefined if the list is not paged, or if no link fits into a header. */
export function renderLinks(
  resourceUrl: string,
  query: readonly QueryParameter[],
  page: Page,
  outcome: PageOutcome,
): string | undefined {
  if (page.limit === undefined) return undefined;
  const kept = query.filter(([name]) => name !== 'pageNumber' && name !== 'after');
  const links = describeLinks(page, page.limit, outcome).map(([relation, ...parameters]) => ({
    relation,
    text: `<${resourceUrl}?${renderQuery([...kept, ...parameters])}>; rel="${relation}"`,
  }));
  const length = links.reduce((sum, { text }) => sum + text.length + 2, 0);
  const fitting = length <= headerLengthMax ? links : links.filter(({ relation }) => relation === 'next');
  return fitting.map(({ text }) => text).join(', ') || undefined;
}

// Each link repeats the query. Clients and proxies reject a response whose headers are too long. With very long filters
// only `next` is kept, because clients cannot construct its cursor.
const headerLengthMax = 6000;

type PageLink = [relation: 'first' | 'prev' | 'next' | 'last', ...parameters: QueryParameter[]];

function describeLinks({ number }: Page, limit: number, { total, next }: PageOutcome): PageLink[] {
  const last = total === undefined ? undefined : Math.max(1, Math.ceil(total / limit));
  const links: PageLink[] = [['first', pageParameter(1)]];
  if (number > 1) links.push(['prev', pageParameter(Math.min(number - 1, last ?? number))]);
  if (next !== undefined) links.push(['next', pageParameter(number + 1), ['after', next]]);
  if (last !== undefined) links.push(['last', pageParameter(last)]);
  return links;
}

function pageParameter(number: number): QueryParameter {
  return ['pageNumber', String(number)];
}

function renderQuery(parameters: QueryParameter[]): string {
  return parameters.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&');
}
