// Checks the form of a token before its content is trusted: three canonical base64url parts, the first two of them JSON
// objects without repeated names. jose accepts spaces, padding and stray bits; here a token has only one spelling.

import { decodeUtf8 } from '@flaghoist/source-text';
import { type JsonObject, parseJson } from '../../json/parse-json.ts';

export interface TokenForm {
  algorithm: string;
  kid: string;
  /** `typ` in the header; empty if it is missing, as in most ID tokens. Other members (`jku`, `x5u`, `jwk`) are ignored. */
  type: string;
  claims: JsonObject;
}

const lengthMax = 8_192;

/** Undefined: not a token. */
export function readTokenForm(token: string): TokenForm | undefined {
  if (token.length > lengthMax || !/^[\w-]+\.[\w-]+\.[\w-]+$/.test(token)) return undefined;
  const [header, claims, signature] = token.split('.').map(decodePart);
  if (!header || !claims || !signature) return undefined;
  const [headerObject, claimsObject] = [readObject(header), readObject(claims)];
  if (!headerObject || !claimsObject || headerObject.has('crit')) return undefined;
  const [algorithm, kid, type = ''] = ['alg', 'kid', 'typ'].map((name) => headerObject.get(name));
  if (typeof algorithm !== 'string' || typeof kid !== 'string' || typeof type !== 'string') return undefined;
  return { algorithm, kid, type, claims: claimsObject };
}

/** Accepted only if encoding the bytes again gives the same text. */
function decodePart(part: string): Buffer | undefined {
  const bytes = Buffer.from(part, 'base64url');
  return bytes.toString('base64url') === part ? bytes : undefined;
}

function readObject(bytes: Buffer): JsonObject | undefined {
  const text = decodeUtf8(bytes);
  if (text === undefined) return undefined;
  try {
    const value = parseJson(text, { depthMax: 8 });
    return value instanceof Map ? value : undefined;
  } catch {
    return undefined;
  }
}
