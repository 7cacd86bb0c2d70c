// The text of HTML as a reader sees it: without marks, entities resolved, white space as one space.

export function visibleText(html: string): string {
  return html
    .replace(/<(style|title)>.*?<\/\1>/gs, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&nbsp;/g, ' ')
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))
    .replace(/\s+/g, ' ');
}
