// Renders code on the docs page: requests as `curl` commands ready to paste, and JSON with syntax colours.

import { quoteWord } from '../openapi/token-command.ts';
import { type Html, html } from './html.ts';

export interface RequestExample {
  method?: 'POST' | 'PUT' | 'DELETE';
  /** Relative to the base URL. */
  path: string;
  /** Each as `name=value`. */
  parameters?: string[];
  headers?: Record<string, string>;
  body?: unknown;
  showsHeaders?: boolean;
}

/** Uses the token that the reader has stored in `$TOKEN`. */
export function renderRequest(baseUrl: string, example: RequestExample): Html {
  return renderCommand(curlOf(baseUrl, example));
}

export function renderCommand(command: string): Html {
  return codeBlock('shell', html`${command}`);
}

export function renderScript(script: string): Html {
  return codeBlock('javascript', html`${script}`);
}

export function renderJson(value: unknown): Html {
  return codeBlock('json', colourJson(JSON.stringify(value, null, 2)));
}

function codeBlock(language: string, code: Html): Html {
  return html`<div class="code"><pre tabindex="0"><code class="${language}">${code}</code></pre></div>`;
}

function curlOf(baseUrl: string, example: RequestExample): string {
  const { method, path, parameters = [], headers = {}, body, showsHeaders } = example;
  const isPlain = parameters.every((parameter) => /^\w+=[\w.,():*-]+$/.test(parameter));
  const query = isPlain ? parameters.join('&') : '';
  const flags = `-s${showsHeaders ? 'i' : ''}${isPlain ? '' : 'G'}`;
  const lines = [
    ['curl', flags, ...(method ? ['-X', method] : []), quoteWord(`${baseUrl}${path}${query ? `?${query}` : ''}`)].join(
      ' ',
    ),
    `-H "Authorization: Bearer $TOKEN"`,
    ...(isPlain ? [] : parameters.map((parameter) => `--data-urlencode ${quoteWord(parameter)}`)),
    ...Object.entries(headers).map(([name, value]) => `-H ${quoteWord(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`-H 'Content-Type: application/json'`, `-d ${quoteWord(bodyText(body))}`]),
  ];
  return lines.join(' \\\n  ');
}

/** One line if it is short, otherwise indented. Both can be pasted. */
function bodyText(body: unknown): string {
  const text = JSON.stringify(body);
  return text.length <= 72 ? text : JSON.stringify(body, null, 2).replaceAll('\n', '\n  ');
}

const jsonToken = /("(?:[^"\\]|\\.)*")(\s*:)?|(-?\d[\d.eE+-]*)|\b(true|false|null)\b/g;

function colourJson(text: string): Html {
  const parts: (Html | string)[] = [];
  let at = 0;
  for (const match of text.matchAll(jsonToken)) {
    const [token, written, colon] = match;
    parts.push(text.slice(at, match.index));
    if (colon !== undefined) parts.push(html`<b>${written}</b>`, colon);
    else if (written !== undefined) parts.push(html`<i>${written}</i>`);
    else parts.push(html`<u>${token}</u>`);
    at = match.index + token.length;
  }
  return html`${[...parts, text.slice(at)]}`;
}
