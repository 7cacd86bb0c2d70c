// HTML templates that escape every inserted value. Only markup that these templates created is inserted unescaped.

export interface Html {
  readonly markup: string;
}

export type HtmlPart = Html | string | number | undefined | readonly HtmlPart[];

export function html(texts: TemplateStringsArray, ...parts: HtmlPart[]): Html {
  const markup = texts.map((text, index) => text + renderPart(parts[index])).join('');
  return { markup };
}

/** Text from the model or from the errors, in which backticks mark code. */
export function proseOf(text: string): Html {
  const pieces = text.split('`');
  // With an odd number of backticks, the text is not treated as markup.
  if (pieces.length % 2 === 0) return html`${text}`;
  return html`${pieces.map((piece, index) => (index % 2 === 1 ? html`<code>${piece}</code>` : piece))}`;
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
