// A body sent as bytes, however odd they are.

import type { Answer, TestService } from './test-service.ts';

export async function postBytes(
  service: TestService,
  resource: string,
  bytes: Buffer | string,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const response = await fetch(`${service.url()}/ws/rest/${resource}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${service.token()}`, ...headers },
    body: typeof bytes === 'string' ? Buffer.from(bytes) : bytes,
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: JSON.parse(text) };
}
