// Requests tokens in every way, valid and invalid, and checks the form of each response of the token endpoint.

import { expect } from 'vitest';
import { administrator, type Credentials, testAudience } from '../support/access.ts';

export interface TokenAnswer {
  status: number;
  headers: Headers;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  body: any;
  tookMs: number;
}

export type Parameters = Record<string, unknown>;

/** A good request, but for what is changed; undefined leaves a parameter out. */
export function parametersOf(change: Parameters = {}, client: Credentials = administrator): Parameters {
  return {
    client_id: client.clientId,
    client_secret: client.clientSecret,
    audience: testAudience,
    grant_type: 'client_credentials',
    ...change,
  };
}

export function askJson(
  url: string,
  body: Parameters | string | Buffer,
  headers: Record<string, string> = {},
): Promise<TokenAnswer> {
  const sent = typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
  return ask(url, sent, { 'content-type': 'application/json', ...headers });
}

export function askForm(
  url: string,
  body: Parameters | string | Buffer,
  headers: Record<string, string> = {},
): Promise<TokenAnswer> {
  const sent = typeof body === 'string' || Buffer.isBuffer(body) ? body : formOf(body);
  return ask(url, sent, { 'content-type': 'application/x-www-form-urlencoded', ...headers });
}

export async function ask(
  url: string,
  body: string | Buffer,
  headers: Record<string, string>,
  path = '/oauth/token',
): Promise<TokenAnswer> {
  const startedAt = performance.now();
  // Bytes, because a text would be given a Content-Type where the test wants none.
  const response = await fetch(`${url}${path}`, { method: 'POST', headers, body: Buffer.from(body) });
  const text = await response.text();
  const tookMs = performance.now() - startedAt;
  return { status: response.status, headers: response.headers, text, body: JSON.parse(text), tookMs };
}

export function formOf(parameters: Parameters): string {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined);
  return new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)])).toString();
}

/** RFC 6749 §2.3.1: both are form-encoded before they are put together. */
export function basic({ clientId, clientSecret }: Credentials): { authorization: string } {
  return basicOf(`${encodeForm(clientId)}:${encodeForm(clientSecret)}`);
}

export function basicOf(text: string | Buffer): { authorization: string } {
  return { authorization: `Basic ${Buffer.from(text).toString('base64')}` };
}

function encodeForm(text: string): string {
  return new URLSearchParams([['', text]]).toString().slice(1);
}

/** Returns the token. */
export function expectToken(answer: TokenAnswer): string {
  expect(answer.status, answer.text).toBe(200);
  expectAnswer(answer);
  expect(answer.body).toEqual({
    access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
    token_type: 'Bearer',
    expires_in: expect.any(Number),
    scope: expect.any(String),
  });
  expect(Number.isInteger(answer.body.expires_in) && answer.body.expires_in > 0).toBe(true);
  return answer.body.access_token;
}

export function expectRefused(answer: TokenAnswer, status: number, error: string): void {
  expect([answer.status, answer.body.error], answer.text).toEqual([status, error]);
  expectAnswer(answer);
  expect(answer.body).toEqual({
    error,
    // The characters that RFC 6749 §5.2 allows.
    error_description: expect.stringMatching(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/),
  });
}

/** What holds for all of them. */
function expectAnswer({ headers, text, tookMs }: TokenAnswer): void {
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('pragma')).toBe('no-cache');
  expect(headers.get('set-cookie')).toBeNull();
  expect([...headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
  expect(text).not.toContain(administrator.clientSecret);
  // A second is what is promised; the rest is for a machine that is busy with other tests.
  expect(tookMs).toBeLessThan(5_000);
}
