// Decodes Base64 (RFC 4648 §4) as people paste it: white space and padding do not matter. Everything else must be
// exactly as an encoder writes it; Node would skip what it does not know.

export type DecodedBase64 =
  | { readonly kind: 'bytes'; readonly bytes: Buffer }
  /** Follows the name of what is wrong: `is not Base64: …`. */
  | { readonly kind: 'mistake'; readonly message: string };

export function decodeBase64(text: string): DecodedBase64 {
  const invalid = /[^A-Za-z0-9+/= \t\r\n]/.exec(text);
  if (invalid) return mistake(`${JSON.stringify(invalid[0])} at position ${invalid.index + 1} is not in its alphabet.`);
  const digits = withoutPadding(text.replace(/[ \t\r\n]+/g, ''));
  if (digits.includes('=')) return mistake('"=" is allowed only at the end.');
  const bytes = Buffer.from(digits, 'base64');
  if (withoutPadding(bytes.toString('base64')) !== digits) return mistake('its last character is missing or wrong.');
  return { kind: 'bytes', bytes };
}

function withoutPadding(digits: string): string {
  let end = digits.length;
  while (digits[end - 1] === '=') end -= 1;
  return digits.slice(0, end);
}

function mistake(problem: string): DecodedBase64 {
  return { kind: 'mistake', message: `is not Base64: ${problem}` };
}
