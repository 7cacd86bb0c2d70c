// What tests of sessions of the console look at: answers, records, and what is stored.

import { expect } from 'vitest';
import { expectErrorBody } from '../support/error-body.ts';
import type { Answer, TestService } from '../support/test-service.ts';

export function expectEnded(answer: Answer): void {
  expectErrorBody(answer, 401);
  expect(answer.headers.get('flaghoist-error')).toBe('sessionEnded');
}

export function authorization(answer: Answer): { authorization: string } {
  return { authorization: `Bearer ${answer.body.token}` };
}

/** Of a user: what the audit log has, and how many sessions are stored. */
export function recordsIn(service: TestService) {
  const recordsOf = async (userKey: number): Promise<{ action: string; clientId: string; changes: object }[]> => {
    const { body } = await service.get(`/ws/rest/AuditLog?filter=objectKey(EQ)${userKey}&sort=key(AS)`);
    return body;
  };
  const sessionsOf = async (userKey: number): Promise<number> => {
    const { rows } = await service.database.pool.query(
      'select count(*)::int from flaghoist_system.console_session where user_key = $1',
      [userKey],
    );
    return rows[0].count;
  };
  return { recordsOf, sessionsOf };
}
