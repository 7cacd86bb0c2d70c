// How many objects and lists a JSON text has, told from its brackets: if as many were frozen, all are.

/** Never too few: brackets within texts count, too. */
export function countHoldersAtMost(text: string): number {
  return countOf(text, '{') + countOf(text, '[');
}

/** Takes longer. Of a name that comes twice both count, although only the last one holds. */
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
