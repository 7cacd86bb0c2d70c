// Renders the parts of the guide as HTML: texts, tables, and code with JSON in colours.

import type { Block, CodeBlock } from '../guide/guide-block.ts';
import { type Html, html, markUp } from './html.ts';

export function renderBlock(block: Block): Html {
  if (typeof block === 'string') return html`${block.split('\n\n').map(renderParagraph)}`;
  if ('code' in block) return renderCode(block);
  const rows = block.rows.map((cells) => html`<tr>${cells.map((cell) => html`<td>${renderInline(cell)}</td>`)}</tr>\n`);
  return html`<div class="scroll"><table>
<thead><tr>${block.head.map((title) => html`<th>${title}</th>`)}</tr></thead>
<tbody>${rows}</tbody>
</table></div>
`;
}

export function renderCode({ language, code }: CodeBlock): Html {
  const coloured = language === 'json' ? markUp(code, jsonToken, colour) : code;
  return html`<div class="code"><pre tabindex="0"><code class="${language}">${coloured}</code></pre></div>
`;
}

function renderParagraph(text: string): Html {
  if (!text.startsWith('- ')) return html`<p>${renderInline(text)}</p>\n`;
  const items = text.slice(2).split('\n- ');
  return html`<ul>${items.map((item) => html`<li>${renderInline(item)}</li>\n`)}</ul>\n`;
}

const inlineMark = /`([^`]+)`|\*\*([^*]+)\*\*|\[([^\]]+)\]\(([^)]+)\)/g;

function renderInline(text: string): Html {
  return markUp(text, inlineMark, ([, code, strong, title, link]) => {
    if (code !== undefined) return html`<code>${code}</code>`;
    return strong === undefined ? html`<a href="${link}">${title}</a>` : html`<strong>${strong}</strong>`;
  });
}

const jsonToken = /("(?:[^"\\]|\\.)*")(\s*:)?|(-?\d[\d.eE+-]*)|\b(true|false|null)\b/g;

function colour([token, text, colon]: RegExpExecArray): Html {
  if (colon !== undefined) return html`<b>${text}</b>${colon}`;
  return text === undefined ? html`<u>${token}</u>` : html`<i>${text}</i>`;
}
