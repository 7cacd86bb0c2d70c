// Renders the `Link` header of a page (RFC 8288): first, prev, next and last. Each link repeats the query as sent,
// except for the page.

import { objectsMax, type Page } from './page.ts';
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
  const links = describeLinks(page, outcome).map(({ relation, parameters }) => {
    const kept = query.filter(([name]) => name !== 'pageNumber' && name !== 'after');
    return { relation, text: `<${resourceUrl}?${renderQuery([...kept, ...parameters])}>; rel="${relation}"` };
  });
  return fitting(links).join(', ') || undefined;
}

interface PageLink {
  relation: 'first' | 'prev' | 'next' | 'last';
  parameters: QueryParameter[];
}

function describeLinks(page: Page, { total, next }: PageOutcome): PageLink[] {
  const last = total === undefined ? undefined : Math.max(1, Math.ceil(total / (page.limit ?? objectsMax)));
  const links: PageLink[] = [{ relation: 'first', parameters: pageParameters(1) }];
  if (page.number > 1) {
    links.push({ relation: 'prev', parameters: pageParameters(Math.min(page.number - 1, last ?? page.number)) });
  }
  if (next !== undefined) {
    links.push({ relation: 'next', parameters: [...pageParameters(page.number + 1), ['after', next]] });
  }
  if (last !== undefined) links.push({ relation: 'last', parameters: pageParameters(last) });
  return links;
}

function pageParameters(number: number): QueryParameter[] {
  return [['pageNumber', String(number)]];
}

function renderQuery(parameters: QueryParameter[]): string {
  return parameters.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&');
}

// Each link repeats the query. Clients and proxies reject a response whose headers are too long. With very long filters
// only `next` is kept, because clients cannot construct its cursor.
const headerLengthMax = 6000;

function fitting(links: { relation: string; text: string }[]): string[] {
  const length = links.reduce((sum, link) => sum + link.text.length + 2, 0);
  const kept = length <= headerLengthMax ? links : links.filter((link) => link.relation === 'next');
  return kept.map((link) => link.text);
}
