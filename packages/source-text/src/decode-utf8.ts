// Decodes the bytes of a request, or returns undefined. Invalid UTF-8 is never silently replaced.

export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return strictDecoder.decode(bytes);
  } catch {
    return undefined;
  }
}

// A byte order mark stays in the text, so that the parser can reject it.
const strictDecoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
