// Turns the bytes of a request into text, or answers nothing: a byte that is no UTF-8 is never replaced in silence.

export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return strictDecoder.decode(bytes);
  } catch {
    return undefined;
  }
}

// A byte order mark stays in the text, so that the parser can refuse it.
const strictDecoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
