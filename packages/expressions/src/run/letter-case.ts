// Letter case and string comparison as in Java. Java's Character maps one code point to one, where JavaScript may
// return several (ß → SS).

export function upperCodePoint(codePoint: number): number {
  const upper = String.fromCodePoint(codePoint).toUpperCase();
  return onlyCodePoint(upper, codePoint);
}

export function lowerCodePoint(codePoint: number): number {
  // JavaScript maps the capital I with a dot to i and a combining dot, Java to a plain i.
  if (codePoint === 0x130) return 0x69;
  return onlyCodePoint(String.fromCodePoint(codePoint).toLowerCase(), codePoint);
}

function onlyCodePoint(text: string, fallback: number): number {
  const codePoint = text.codePointAt(0) ?? fallback;
  return text.length === (codePoint > 0xffff ? 2 : 1) ? codePoint : fallback;
}

export function equalsIgnoreCase(left: string, right: string): boolean {
  if (left === right) return true;
  if (left.length !== right.length) return false;
  return compareIgnoreCase(left, right) === 0;
}

/** The difference of the first pair of characters that differ; if there is none, that of the lengths. */
export function compareIgnoreCase(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  // If either string is Latin-1, Java compares single UTF-16 units, because it stores Latin-1 strings differently.
  const comparesCodePoints = !isLatin1(left) && !isLatin1(right);
  for (let at = 0; at < length; at++) {
    const [a, b] = comparesCodePoints
      ? [left.codePointAt(at)!, right.codePointAt(at)!]
      : [left.charCodeAt(at), right.charCodeAt(at)];
    if (a === b) continue;
    const difference = foldCase(a) - foldCase(b);
    if (difference !== 0) return difference;
    if (a > 0xffff) at++;
  }
  return left.length - right.length;
}

function isLatin1(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 0xff) return false;
  return true;
}

export function compareTexts(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  for (let at = 0; at < length; at++) {
    const difference = left.charCodeAt(at) - right.charCodeAt(at);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

function foldCase(codePoint: number): number {
  return lowerCodePoint(upperCodePoint(codePoint));
}
