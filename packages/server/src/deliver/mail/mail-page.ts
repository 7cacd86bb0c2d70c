// Mails of the service: each is described once and rendered as text and as HTML. The HTML is a narrow page, light or
// dark, made of tables and inline styles, which mail programs support. It fetches no resources and escapes every value.

import { renderTextTable } from './mail-text.ts';

export interface MailPage {
  title: string;
  /** Shown by mail programs beside the subject, and nowhere else. */
  preview: string;
  tone: Tone;
  /** One word, in the colour of the tone. */
  badge: string;
  blocks: readonly MailBlock[];
  /** URLs in it become links. */
  footer: string;
}

export type Tone = 'created' | 'updated' | 'deleted' | 'stopped' | 'failing';

export type MailBlock =
  | { kind: 'paragraph' | 'heading'; text: string }
  /** In small print. URLs in it become links. */
  | { kind: 'remark'; text: string }
  /** Both as they are; a command is indented in the text. */
  | { kind: 'content' | 'command'; text: string }
  | { kind: 'table'; rows: readonly MailRow[] }
  | { kind: 'button'; url: string; text: string };

export interface MailRow {
  label: string;
  value: string;
}

export function renderMailPage(page: MailPage): { text: string; html: string } {
  const parts = [page.title, ...page.blocks.map(blockText), `-- \n${page.footer}`].filter((part) => part !== '');
  return { text: `${parts.join('\n\n')}\n`, html: pageHtml(page) };
}

function blockText(block: MailBlock): string {
  switch (block.kind) {
    case 'heading':
      return block.text.toUpperCase();
    case 'command':
      return block.text.replace(/^/gm, '  ');
    case 'table':
      return renderTextTable(block.rows);
    case 'button':
      return block.url;
    default:
      return block.text;
  }
}

const sans = "-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif";
const mono = "ui-monospace,SFMono-Regular,Menlo,Consolas,'Liberation Mono',monospace";

const styles = {
  name:
    `padding-left:9px;font-family:${sans};font-size:14px;line-height:18px;font-weight:700;` +
    'letter-spacing:-.01em;color:#16233b',
  flag: 'width:9px;height:9px;font-size:0;line-height:0',
  badge: 'display:inline-block;padding:3px 10px;border-radius:20px;font-size:12px;line-height:18px;font-weight:600',
  title: 'margin:12px 0 0;font-size:24px;line-height:31px;font-weight:700;letter-spacing:-.01em;color:#16233b',
  paragraph: 'margin:14px 0 0;font-size:15px;line-height:23px;color:#28364f',
  heading: 'margin:28px 0 0;font-size:16px;line-height:22px;font-weight:700;color:#16233b',
  remark: 'margin:10px 0 0;font-size:13px;line-height:20px;color:#5d6b82',
  table: 'margin:20px 0 0;border-collapse:collapse;table-layout:fixed',
  label: 'padding:8px 14px 8px 0;border-top:1px solid #e6ebf2;font-size:13px;line-height:20px;color:#5d6b82',
  value: 'padding:8px 0;border-top:1px solid #e6ebf2;font-size:14px;line-height:20px;color:#16233b',
  button:
    'display:inline-block;padding:9px 18px;border-radius:8px;background:#0a58b5;color:#ffffff;font-size:14px;' +
    'line-height:20px;font-weight:600;text-decoration:none',
  code:
    'margin:12px 0 0;padding:12px 14px;border:1px solid #dfe6ef;border-radius:8px;background:#f5f7fa;color:#22314c;' +
    `font-family:${mono};font-size:12.5px;line-height:19px;white-space:pre-wrap`,
  footer:
    `padding:18px 8px 0;font-family:${sans};font-size:12.5px;line-height:19px;color:#5d6b82;` +
    'overflow-wrap:anywhere;word-break:break-word',
};

const tones: Record<Tone, { ink: string; paper: string; night: string; nightPaper: string }> = {
  created: { ink: '#0f6b41', paper: '#e2f4ea', night: '#7bd8a6', nightPaper: '#12301f' },
  updated: { ink: '#0a58b5', paper: '#e4edf8', night: '#84bbff', nightPaper: '#16263f' },
  deleted: { ink: '#b01a26', paper: '#fdeceb', night: '#ff9a9a', nightPaper: '#3a1d24' },
  stopped: { ink: '#b01a26', paper: '#fdeceb', night: '#ff9a9a', nightPaper: '#3a1d24' },
  failing: { ink: '#8a5200', paper: '#fdf1dc', night: '#f5c26b', nightPaper: '#33260f' },
};

/** Inline styles take precedence over a style sheet, so the dark rules need `!important`. */
function nightStyle(tone: Tone): string {
  const { night, nightPaper } = tones[tone];
  const rules: [string, string][] = [
    ['.fh-back', 'background:#0b111c'],
    ['.fh-card', 'background:#121a29;border-color:#26344d'],
    ['.fh-ink', 'color:#e3eaf5'],
    ['.fh-soft', 'color:#a3b1c6'],
    ['.fh-line', 'border-color:#26344d'],
    ['.fh-link', 'color:#84bbff'],
    ['.fh-code', 'background:#0b111c;color:#d3deee;border-color:#26344d'],
    ['.fh-badge', `color:${night};background:${nightPaper}`],
    ['.fh-button', 'background:#2f7ad6;color:#ffffff'],
  ];
  const important = rules.map(([name, style]) => `${name}{${style.replaceAll(/(?=;|$)/g, '!important')}}`).join('');
  return (
    ':root{color-scheme:light dark;supported-color-schemes:light dark}' +
    `@media (prefers-color-scheme:dark){${important}}` +
    '@media (max-width:480px){.fh-pad{padding-left:20px!important;padding-right:20px!important}}'
  );
}

function pageHtml({ title, preview, tone, badge, blocks, footer }: MailPage): string {
  const { ink, paper } = tones[tone];
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${title}</title>
<style>${{ markup: nightStyle(tone) }}</style>
</head>
<body class="fh-back" style="margin:0;padding:0;background:#eef2f7;-webkit-text-size-adjust:100%">
<div style="display:none;max-height:0;overflow:hidden;opacity:0">${preview}</div>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" class="fh-back"
style="background:#eef2f7">
<tr><td align="center" style="padding:28px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:620px">
<tr><td style="padding:0 4px 14px">${wordmark}</td></tr>
<tr><td class="fh-card" style="background:#ffffff;border:1px solid #dfe6ef;border-radius:12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0">
<tr><td class="fh-pad" style="padding:28px 32px 30px;font-family:${sans};overflow-wrap:anywhere;word-break:break-word">
<span class="fh-badge" style="${styles.badge};color:${ink};background:${paper}">${badge}</span>
<h1 class="fh-ink" style="${styles.title}">${title}</h1>
${blocks.map(blockHtml)}
</td></tr></table>
</td></tr>
<tr><td class="fh-soft" style="${styles.footer}">${linked(footer)}</td></tr>
</table>
</td></tr></table>
</body>
</html>
`.markup;
}

const flag = ['#0a58b5', '#f2b705', '#c81e2b'].map(
  (colour) => html`<td width="9" height="9" style="${styles.flag};background:${colour}">&nbsp;</td>`,
);

const wordmark = html`<table role="presentation" cellpadding="0" cellspacing="0" border="0"><tr>${flag}
<td class="fh-ink" style="${styles.name}">Flaghoist</td></tr></table>`;

function blockHtml(block: MailBlock): Markup {
  switch (block.kind) {
    case 'paragraph':
      return html`<p class="fh-ink" style="${styles.paragraph}">${block.text}</p>\n`;
    case 'heading':
      return html`<h2 class="fh-ink" style="${styles.heading}">${block.text}</h2>\n`;
    case 'remark':
      return html`<p class="fh-soft" style="${styles.remark}">${linked(block.text)}</p>\n`;
    case 'content':
    case 'command':
      return html`<div class="fh-code" style="${styles.code}">${block.text}</div>\n`;
    case 'table':
      return tableHtml(block.rows);
    case 'button': {
      const anchor = html`<a class="fh-button" href="${block.url}" style="${styles.button}">${block.text}</a>`;
      return html`<p style="margin:20px 0 0">${anchor}</p>\n`;
    }
  }
}

function tableHtml(rows: readonly MailRow[]): Markup {
  if (rows.length === 0) return html``;
  const cells = rows.map(({ label, value }) => {
    const head = html`<td class="fh-soft fh-line" valign="top" width="38%" style="${styles.label}">${label}</td>`;
    return html`<tr>${head}<td class="fh-ink fh-line" valign="top" style="${styles.value}">${value}</td></tr>\n`;
  });
  const attributes = html`role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"`;
  return html`<table ${attributes} style="${styles.table}">\n${cells}</table>\n`;
}

/** Only for texts of our own. */
function linked(text: string): Markup[] {
  return text
    .split(/(https?:\/\/\S+)/)
    .map((part, index) =>
      index % 2 === 0
        ? html`${part}`
        : html`<a class="fh-link" href="${part}" style="color:#0a58b5;text-decoration:underline">${part}</a>`,
    );
}

interface Markup {
  readonly markup: string;
}

type MarkupPart = Markup | string | readonly MarkupPart[];

function html(texts: TemplateStringsArray, ...parts: MarkupPart[]): Markup {
  return { markup: texts.map((text, index) => text + renderPart(parts[index] ?? '')).join('') };
}

function renderPart(part: MarkupPart): string {
  if (typeof part === 'string') return part.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
  return 'markup' in part ? part.markup : part.map(renderPart).join('');
}
