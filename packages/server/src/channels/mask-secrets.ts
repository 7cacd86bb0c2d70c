// Masks secrets in the response of a receiver, which may send back what it was sent.

/** What is shown instead. */
const mask = '***';

/** Shorter beginnings of a secret may be there by chance. */
const beginningMin = 8;

/**
 * Shorter values are in most responses by chance: with a header `X-Version: 1`, every 1 would be masked. They are no
 * secrets that protect anything, because they can be guessed.
 */
const secretMin = 6;

export function maskSecrets(text: string, secrets: readonly string[]): string {
  // The longest first: one may be the beginning of another.
  return secrets
    .filter(({ length }) => length >= secretMin)
    .flatMap(spellingsOf)
    .sort((one, other) => other.length - one.length)
    .reduce((masked, secret) => maskCut(masked.replaceAll(secret, mask), secret), text);
}

/** As it is, and as programs write it in JSON and in forms. */
function spellingsOf(secret: string): string[] {
  const inJson = JSON.stringify(secret).slice(1, -1);
  const inAscii = inJson.replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  const inForm = new URLSearchParams([['', secret]]).toString().slice(1);
  return [...new Set([secret, inJson, inJson.replaceAll('/', '\\/'), inAscii, inAscii.replaceAll('/', '\\/'), inForm])];
}

/** Only the first bytes of a response are kept, so a secret at the end may be cut. */
function maskCut(text: string, secret: string): string {
  for (let length = Math.min(secret.length - 1, text.length); length >= beginningMin; length--)
    if (text.endsWith(secret.slice(0, length))) return `${text.slice(0, -length)}${mask}`;
  return text;
}
