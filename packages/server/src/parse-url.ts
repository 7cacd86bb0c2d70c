// Parses a text as a URL. `URL.canParse` of Node 20 is unreliable: after some thousand calls, when V8 has optimised its
// caller, it rejects `https://bücher.example/`.

export function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
