// Indents JSON for a reader.

/** Throws if it is not JSON. Numbers stay as they are written: `JSON.parse` would round them. */
export function indentJson(json: string): string {
  JSON.parse(json);
  let depth = 0;
  const parts = json.match(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g) ?? [];
  const line = () => `\n${'  '.repeat(depth)}`;
  return parts
    .map((part, index) => {
      const isEmpty = /[{[]/.test(part) && /^[}\]]$/.test(parts[index + 1] ?? '');
      if (part === '{' || part === '[') {
        depth += 1;
        return isEmpty ? part : part + line();
      }
      if (part === '}' || part === ']') {
        depth -= 1;
        return /^[{[]$/.test(parts[index - 1] ?? '') ? part : line() + part;
      }
      if (part === ',') return part + line();
      return part === ':' ? ': ' : part;
    })
    .join('');
}
