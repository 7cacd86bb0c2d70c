// Reads a token request. The parameters are JSON, the original format of the interface, or a form (RFC 6749 §4.4.2).
// The credentials come from the parameters or from HTTP Basic (§2.3.1), never from both. Makes no decisions.

import { decodeUtf8 } from '@flaghoist/source-text';
import { JsonSyntaxError, type JsonValue, parseJson } from '../../json/parse-json.ts';
import { TokenError } from './token-error.ts';

export interface SentTokenRequest {
  body: Buffer;
  format: 'json' | 'form';
  authorization: string | undefined;
}

export interface TokenRequest {
  clientId: string;
  clientSecret: string;
  /** If true, an error response must challenge for Basic again. */
  usedBasic: boolean;
  grantType: string;
  audience: string;
  /** Undefined: all scopes that the client has been granted. */
  scope: string | undefined;
}

export function readTokenRequest(sent: SentTokenRequest): TokenRequest {
  const parameters = readParameters(sent);
  const basic = readBasic(sent.authorization);
  if (basic && (parameters.has('client_id') || parameters.has('client_secret')))
    throw invalid('The client is named by HTTP Basic and in the body. Use one of them.');
  return {
    clientId: basic?.clientId ?? required(parameters, 'client_id'),
    clientSecret: basic?.clientSecret ?? required(parameters, 'client_secret'),
    usedBasic: basic !== undefined,
    grantType: required(parameters, 'grant_type'),
    audience: required(parameters, 'audience'),
    scope: parameters.get('scope'),
  };
}

type Parameters = Map<string, string>;

/** Other parameters are ignored (RFC 6749 §3.2). */
const known = ['client_id', 'client_secret', 'grant_type', 'audience', 'scope'];

function readParameters({ body, format }: SentTokenRequest): Parameters {
  const text = decodeUtf8(body);
  if (text === undefined) throw invalid('The body is not UTF-8.');
  return format === 'json' ? readJson(text) : readForm(text);
}

function readJson(text: string): Parameters {
  const value = parse(text);
  if (!(value instanceof Map)) throw invalid('The body must be a JSON object.');
  const parameters: Parameters = new Map();
  for (const name of known) {
    const parameter = value.get(name);
    if (parameter === undefined) continue;
    if (typeof parameter !== 'string') throw invalid(`${name} must be text.`);
    parameters.set(name, parameter);
  }
  return parameters;
}

function parse(text: string): JsonValue {
  try {
    return parseJson(text, { depthMax: 8 });
  } catch (error) {
    // The parser's message may quote the input, which may be the secret.
    if (error instanceof JsonSyntaxError)
      throw invalid(`The body is not valid JSON; see line ${error.line}, column ${error.column}.`);
    throw error;
  }
}

/** A parameter without a value counts as omitted (RFC 6749 §3.1). */
function readForm(text: string): Parameters {
  const parameters: Parameters = new Map();
  for (const [name, value] of new URLSearchParams(text)) {
    if (!known.includes(name)) continue;
    if (parameters.has(name)) throw invalid(`${name} is given twice.`);
    parameters.set(name, value);
  }
  return new Map([...parameters].filter(([, value]) => value !== ''));
}

function required(parameters: Parameters, name: string): string {
  const value = parameters.get(name);
  if (value === undefined || value === '') throw invalid(`${name} is missing.`);
  return value;
}

/** Id and secret are form-encoded before they are joined (RFC 6749 §2.3.1). */
function readBasic(authorization: string | undefined): { clientId: string; clientSecret: string } | undefined {
  if (authorization === undefined) return undefined;
  const encoded = /^basic +([A-Za-z0-9+/]+={0,2})$/i.exec(authorization)?.[1];
  const text = encoded === undefined ? undefined : decodeUtf8(Buffer.from(encoded, 'base64'));
  const colon = text?.indexOf(':') ?? -1;
  const clientId = colon < 1 ? undefined : decodeForm(text!.slice(0, colon));
  const clientSecret = colon < 1 ? undefined : decodeForm(text!.slice(colon + 1));
  if (clientId === undefined || clientSecret === undefined)
    throw invalid('The Authorization header is not HTTP Basic with a client id and a secret.');
  return { clientId, clientSecret };
}

function decodeForm(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

function invalid(description: string): TokenError {
  return new TokenError('invalid_request', description);
}
