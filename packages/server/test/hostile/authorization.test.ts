// The `Authorization` header of requests to resources: doubled, too long, or with bytes that no token has. What is
// wrong with a token itself is tested in `test/auth/`.

import { describe, expect, test } from 'vitest';
import { expectErrorBody } from '../support/error-body.ts';
import { converse, type RawAnswer } from '../support/raw-http.ts';
import { useTestService } from '../support/test-service.ts';
import { describeUnharmed } from './unharmed.ts';

const service = useTestService();

/** With each of these as a header of its own, byte by byte. */
async function ask(...values: string[]): Promise<RawAnswer> {
  const lines = values.map((value) => `Authorization: ${value}\r\n`).join('');
  const request = `GET /ws/rest/Vessel?limit=1 HTTP/1.1\r\nHost: x\r\n${lines}\r\n`;
  return (await converse(service.url(), Buffer.from(request, 'latin1'), { answers: 1 })).answers[0]!;
}

describe('an Authorization header', () => {
  test('given twice is a 400, even where both are good', async () => {
    const good = `Bearer ${service.token()}`;
    expect((await ask(good)).status).toBe(200);
    for (const [first, second] of [
      [good, good],
      [good, 'Bearer x'],
      ['Bearer x', good],
      ['', good],
    ] as const)
      expectErrorBody(await ask(first, second), 400);
  });

  test.each([
    ['letters', `Bearer ${'a'.repeat(15_000)}`],
    ['dots', `Bearer ${'.'.repeat(15_000)}`],
    ['short parts', `Bearer ${'e.'.repeat(7_500)}`],
    ['spaces', `Bearer ${' '.repeat(15_000)}x`],
    ['schemes', 'Bearer '.repeat(2_000)],
    ['commas', `Bearer ${','.repeat(15_000)}`],
    ['no scheme at all', 'x'.repeat(15_000)],
    ['brackets', `Bearer ${Buffer.from('['.repeat(11_000)).toString('base64url')}.e30.AA`],
  ])('of 15 kB of %s is a 401', async (_, value) => {
    expectErrorBody(await ask(value), 401);
  });

  test('of more than 16 kB is a 431', async () => {
    expectErrorBody(await ask(`Bearer ${'a'.repeat(17_000)}`), 431);
  });

  test.each(['\0', '\x01', '\x07', '\x0b', '\x1b[31m', '\x7f', '\n', '\r'])(
    'with the control byte %j is a 400, also around a good token',
    async (byte) => {
      const token = service.token();
      for (const value of [`Bearer ${token}${byte}x`, `Bearer ${byte}${token}`, `Bearer${byte}${token}`])
        expectErrorBody(await ask(value), 400);
    },
  );

  test.each(['\t', '\xa0', '\x85', '\xff', '\xe2\x80\x8b'])(
    'with %j, which a header may have, is a 401: nothing is trimmed off a token',
    async (byte) => {
      const token = service.token();
      for (const value of [`Bearer ${token}${byte}x`, `Bearer ${byte}${token}`, `Bearer${byte}${token}`])
        expectErrorBody(await ask(value), 401);
    },
  );
});

describeUnharmed(service);
