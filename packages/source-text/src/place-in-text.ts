// Converts an offset into a line and a column. LF, CR LF and CR each end a line.

/** Line and column count from 1; a column is one UTF-16 unit. */
export function placeInText(text: string, offset: number): { line: number; column: number } {
  let line = 1;
  let lineStart = 0;
  for (let at = 0; at < offset; at++) {
    const unit = text.charCodeAt(at);
    const isBreak = unit === LF || (unit === CR && text.charCodeAt(at + 1) !== LF);
    if (isBreak) {
      line++;
      lineStart = at + 1;
    }
  }
  return { line, column: offset - lineStart + 1 };
}

const LF = 0x0a;
const CR = 0x0d;
