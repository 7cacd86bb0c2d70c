// Reads the body of a sign-in: which method it uses, and its members. No message repeats what was sent, because it may
// be a secret. Makes no decisions.

import { decodeUtf8 } from '@flaghoist/source-text';
import { ApiError } from '../../errors.ts';
import { JsonSyntaxError, type JsonValue, parseJson } from '../../json/parse-json.ts';
import type { SignInMethod } from '../../observe/observation.ts';

/** The members of each method. */
const membersOf = {
  CLIENT: ['clientId', 'clientSecret'],
  LINK: ['code'],
  ISSUER: ['authorizationCode', 'state'],
} as const satisfies Record<SignInMethod, readonly string[]>;

export type SignInRequest = {
  [M in SignInMethod]: { method: M } & Record<(typeof membersOf)[M][number], string>;
}[SignInMethod];

const notSetUp =
  'Nobody can sign in to the console yet: FLAGHOIST_CONSOLE_CLIENT_ID says which client of the issuer the console is.';

/** Longer than any code of an issuer. */
const textLengthMax = 4_096;

export function readSignIn(body: Buffer, offered: readonly SignInMethod[]): SignInRequest {
  if (offered.length === 0) throw new ApiError('noAccess', notSetUp);
  const sent = parse(body);
  if (!(sent instanceof Map)) throw invalid('The body must be a JSON object.');
  const method = offered.find((one) => membersOf[one].some((name) => sent.has(name)));
  if (method === undefined) throw invalid(`The body must have ${describe(offered)}.`);
  const names: readonly string[] = membersOf[method];
  if ([...sent.keys()].some((name) => !names.includes(name)))
    throw invalid(`The body has an unknown member; it may have only ${names.join(' and ')}.`);
  const members = names.map((name) => [name, readText(name, sent.get(name))]);
  return { method, ...Object.fromEntries(members) } as SignInRequest;
}

function parse(body: Buffer): JsonValue {
  const text = decodeUtf8(body);
  if (text === undefined) throw new ApiError('malformedJson', 'The body is not UTF-8.');
  try {
    return parseJson(text, { depthMax: 4 });
  } catch (error) {
    // The parser's message may quote the input.
    if (error instanceof JsonSyntaxError)
      throw new ApiError(
        'malformedJson',
        `The body is not valid JSON; see line ${error.line}, column ${error.column}.`,
      );
    throw error;
  }
}

function readText(name: string, value: JsonValue | undefined): string {
  if (value === undefined) throw invalid(`${name} is missing.`);
  if (typeof value !== 'string') throw invalid(`${name} must be text.`);
  if (value.length === 0 || value.length > textLengthMax)
    throw invalid(`${name} must have 1 to ${textLengthMax} characters.`);
  return value;
}

function describe(offered: readonly SignInMethod[]): string {
  return offered.map((method) => membersOf[method].join(' and ')).join(', or ');
}

function invalid(message: string): ApiError {
  return new ApiError('invalidBody', message);
}
