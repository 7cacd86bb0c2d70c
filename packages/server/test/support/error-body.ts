// What every error answer must look like, wherever it comes from: the seven fields, its name in a header, and nothing in
// them that could hurt a reader, a log or a terminal.

import { STATUS_CODES } from 'node:http';
import { expect } from 'vitest';
import { type ErrorCode, errorTable } from '../../src/errors.ts';

export interface ErrorBody {
  statusCode: number;
  statusText: string;
  message: string;
  date: string;
  statusFamily: string;
  method: string;
  uri: string;
  violations?: { path: string; message: string }[];
}

interface ErrorAnswer {
  status: number;
  headers: { get(name: string): string | null };
  text: string;
}

/** Returns the body, so that a test can go on with what is special about it. */
export function expectErrorBody(answer: ErrorAnswer, status: number): ErrorBody {
  expect(answer.status, answer.text.slice(0, 500)).toBe(status);
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  const code = answer.headers.get('flaghoist-error') as ErrorCode;
  expect(errorTable[code]?.status, `flaghoist-error: ${code}`).toBe(status);
  const body = JSON.parse(answer.text) as ErrorBody;
  const { violations, ...fields } = body;
  expect(fields).toEqual({
    statusCode: status,
    statusText: STATUS_CODES[status],
    message: expect.stringMatching(/\S/),
    date: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/),
    statusFamily: status < 500 ? 'CLIENT_ERROR' : 'SERVER_ERROR',
    method: expect.any(String),
    uri: expect.stringMatching(/^https?:\/\//),
  });
  expect(violations?.length ?? 0).toBeLessThanOrEqual(violationsMax);
  const texts = [body.message, ...(violations ?? []).flatMap(({ path, message }) => [path, message])];
  // One assertion for all: an answer has up to two hundred.
  expect(texts.filter((text) => !isReadable(text)).map((text) => text.slice(0, 200))).toEqual([]);
  return body;
}

const violationsMax = 100;
const textLengthMax = 2000;

/** Control characters could steer a terminal, a direction override could turn a line around. */
function isReadable(text: string): boolean {
  return text.length <= textLengthMax && !/\p{Cc}|\p{Cf}|\p{Cs}|\p{Zl}|\p{Zp}/u.test(text);
}
