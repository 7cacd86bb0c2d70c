// Reads a text as a URL. `URL.canParse` of Node 20 is not to be trusted: once the engine has optimised its caller, after some thousand
// calls, it takes `https://bücher.example/` for no URL.

export function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
