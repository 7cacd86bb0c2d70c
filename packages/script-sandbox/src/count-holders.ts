// Counts the objects and lists ("holders") in a JSON text by its brackets. If as many holders were frozen, all of them
// are frozen.

/** An upper bound: brackets inside strings count, too. */
export function countHoldersAtMost(text: string): number {
  return countOf(text, '{') + countOf(text, '[');
}

/** Slower. If an object has a name twice, both values count, although only the last one is kept. */
export function countHolders(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '"') at = endOfText(text, at);
    else if (character === '{' || character === '[') count += 1;
  }
  return count;
}

function endOfText(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at;
}

function countOf(text: string, bracket: string): number {
  let count = 0;
  for (let at = text.indexOf(bracket); at >= 0; at = text.indexOf(bracket, at + 1)) count += 1;
  return count;
}
