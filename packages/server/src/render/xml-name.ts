// Makes element names: a character that XML does not allow in a name becomes `_xHHHH_`, its code point, as in SQL/XML.
// Also escaped are the colon (it would make a prefix) and the first letter of `xml` in any case, which XML reserves. An
// underscore that looks like the start of an escape is escaped itself, so no two names become the same.

/** `portCalls` stays as it is; `1a` is `_x0031_a`, `a b` is `a_x0020_b`, `xmlns` is `_x0078_mlns`. */
export function xmlName(name: string): string {
  return isPlain.test(name) ? name : escapeName(name);
}

/** Matches names that need no escaping. */
const isPlain = /^(?!xml)[A-Za-z][A-Za-z0-9.-]*$/i;

function escapeName(name: string): string {
  // Unique, because no name contains NUL.
  if (name === '') return escapeOf('\0');
  const body = name.replace(/_(?=x[0-9a-f]{4})/gi, escapeOf).replace(illegal, escapeOf);
  return body.replace(illegalAtStart, escapeOf);
}

/** NameStartChar and NameChar of XML 1.0 §2.3, without the colon. */
const startCharacters =
  'A-Z_a-z\\u{C0}-\\u{D6}\\u{D8}-\\u{F6}\\u{F8}-\\u{2FF}\\u{370}-\\u{37D}\\u{37F}-\\u{1FFF}\\u{200C}-\\u{200D}\\u{2070}-\\u{218F}' +
  '\\u{2C00}-\\u{2FEF}\\u{3001}-\\u{D7FF}\\u{F900}-\\u{FDCF}\\u{FDF0}-\\u{FFFD}\\u{10000}-\\u{EFFFF}';
const illegal = new RegExp(`[^${startCharacters}.0-9\\u{B7}\\u{300}-\\u{36F}\\u{203F}-\\u{2040}-]`, 'gu');
const illegalAtStart = new RegExp(`^(?:[^${startCharacters}]|[xX](?=[mM][lL]))`, 'u');

function escapeOf(character: string): string {
  return `_x${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}_`;
}
