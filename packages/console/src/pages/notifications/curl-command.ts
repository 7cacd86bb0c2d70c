// A curl command that sends the same request. Values are quoted for a POSIX shell.

export function curlCommand(url: string, headers: readonly (readonly [string, string])[], body: string): string {
  const lines = [
    `curl -i ${quote(url)}`,
    ...headers.map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`),
    `--data-binary ${quote(body)}`,
  ];
  return lines.join(' \\\n  ');
}

/** Nothing is special between single quotes. A single quote ends them, is escaped, and begins them again. */
function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
