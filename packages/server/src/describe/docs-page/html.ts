// HTML templates that escape every inserted value. Only markup that these templates created is inserted unescaped. The
// values of attributes must be in double quotes.

export interface Html {
  readonly markup: string;
}

export type HtmlPart = Html | string | number | undefined | readonly HtmlPart[];

export function html(texts: TemplateStringsArray, ...parts: HtmlPart[]): Html {
  let before = '';
  const rendered = texts.map((text, index) => {
    before += text;
    return text + renderPart(parts[index], isInAttribute(before) ? escapeAttribute : escapeText);
  });
  return { markup: rendered.join('') };
}

/** `before`: what the template itself has before the value. */
function isInAttribute(before: string): boolean {
  return /="[^"]*$/.test(before);
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

function renderPart(part: HtmlPart, escaped: (text: string) => string): string {
  if (part === undefined) return '';
  if (typeof part === 'string') return escaped(part);
  if (typeof part === 'number') return String(part);
  return 'markup' in part ? part.markup : part.map((each) => renderPart(each, escaped)).join('');
}

/** Leaves quotes: examples are full of them, and escaped they would be a tenth of the page. */
function escapeText(text: string): string {
  return text.replace(/[&<>]/g, entityOf);
}

function escapeAttribute(text: string): string {
  return text.replace(/[&<>"']/g, entityOf);
}

const entityOf = (character: string) => entities[character] ?? '';
const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
