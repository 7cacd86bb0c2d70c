// A curl command that sends the same request: no file is read for a body that begins with @, and brackets in the URL
// mean themselves. Values are quoted for a POSIX shell.

export function curlCommand(url: string, headers: readonly (readonly [string, string])[], body: string): string {
  const lines = [
    `curl -i -g ${quote(url)}`,
    ...headers.map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`),
    `--data-raw ${quote(body)}`,
  ];
  return lines.join(' \\\n  ');
}

/** Nothing is special between single quotes. A single quote ends them, is escaped, and begins them again. */
function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
