// HTML templates that escape every inserted value. Only markup that these templates created is inserted unescaped.

export interface Html {
  readonly markup: string;
}

export type HtmlPart = Html | string | number | undefined | readonly HtmlPart[];

export function html(texts: TemplateStringsArray, ...parts: HtmlPart[]): Html {
  const markup = texts.map((text, index) => text + renderPart(parts[index])).join('');
  return { markup };
}

/** Replaces the matches of a pattern by markup. The text between them is escaped. */
export function markUp(text: string, pattern: RegExp, render: (match: RegExpExecArray) => HtmlPart): Html {
  const parts: HtmlPart[] = [];
  let end = 0;
  for (const match of text.matchAll(pattern)) {
    parts.push(text.slice(end, match.index), render(match));
    end = match.index + match[0].length;
  }
  return html`${[...parts, text.slice(end)]}`;
}

/** Text from the model or from the errors, in which backticks mark code. */
export function proseOf(text: string): Html {
  return markUp(text, /`([^`]+)`/g, ([, code]) => html`<code>${code}</code>`);
}

function renderPart(part: HtmlPart): string {
  if (part === undefined) return '';
  if (typeof part === 'string') return escapeHtml(part);
  if (typeof part === 'number') return String(part);
  return 'markup' in part ? part.markup : part.map(renderPart).join('');
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '');
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
