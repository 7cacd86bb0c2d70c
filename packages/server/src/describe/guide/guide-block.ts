// The parts of the guide: texts, code and tables. `introduction.ts` renders them as Markdown for the API description,
// and the docs page renders them as HTML.

import type { DescriptionContext } from '../openapi/description-context.ts';
import { quoteWord } from '../openapi/examples/message-examples.ts';

export interface GuideSection {
  id: string;
  title: string;
  blocks: Block[];
}

/** A string has paragraphs and lists in Markdown, with code, bold text, and links relative to the docs page. */
export type Block = string | CodeBlock | TableBlock;

export interface CodeBlock {
  language: 'shell' | 'json' | 'javascript';
  code: string;
}

/** Cells are Markdown. */
export interface TableBlock {
  head: string[];
  rows: string[][];
}

export function json(value: unknown): CodeBlock {
  return { language: 'json', code: JSON.stringify(value, null, 2) };
}

export interface RequestExample {
  method?: 'POST' | 'PUT' | 'DELETE';
  /** Relative to `/ws/rest`. */
  path: string;
  /** Each as `name=value`. */
  parameters?: string[];
  headers?: Record<string, string>;
  body?: unknown;
  showsHeaders?: boolean;
}

/** A `curl` command that is ready to paste. It uses the token that the reader has stored in `$TOKEN`. */
export function request({ restUrl }: DescriptionContext, example: RequestExample): CodeBlock {
  const { method, path, parameters = [], headers = {}, body, showsHeaders } = example;
  const isPlain = parameters.every((parameter) => /^\w+=[\w.,():*-]+$/.test(parameter));
  const query = isPlain && parameters.length > 0 ? `?${parameters.join('&')}` : '';
  const flags = `-s${showsHeaders ? 'i' : ''}${isPlain ? '' : 'G'}${method ? ` -X ${method}` : ''}`;
  const lines = [
    `curl ${flags} ${quoteWord(`${restUrl}${path}${query}`)}`,
    `-H "Authorization: Bearer $TOKEN"`,
    ...(isPlain ? [] : parameters.map((parameter) => `--data-urlencode ${quoteWord(parameter)}`)),
    ...Object.entries(headers).map(([name, value]) => `-H ${quoteWord(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`-H 'Content-Type: application/json'`, `-d ${quoteWord(bodyText(body))}`]),
  ];
  return { language: 'shell', code: lines.join(' \\\n  ') };
}

/** One line if it is short, otherwise indented. Both can be pasted. */
function bodyText(body: unknown): string {
  const text = JSON.stringify(body);
  return text.length <= 72 ? text : JSON.stringify(body, null, 2).replaceAll('\n', '\n  ');
}
