// What must hold after everything that a test file has thrown at the service, as tests of its own at the end of the
// file.

import { describe, expect, test } from 'vitest';
import type { TestService } from '../support/test-service.ts';

/** To be called last in a test file. */
export function describeUnharmed(service: TestService): void {
  const before = prototypeNames();
  describe('after all that', () => {
    test('no request has failed by a fault of ours', () => {
      expect(service.observations.filter(({ kind }) => kind === 'request.failed')).toEqual([]);
    });

    test('no prototype has gained or lost anything', () => {
      expect(prototypeNames()).toEqual(before);
      expect(Object.keys({})).toEqual([]);
    });

    test('the service is alive, ready and answers', async () => {
      expect((await service.get('/health/live')).status).toBe(200);
      expect((await service.get('/health/ready')).status).toBe(200);
      expect((await service.get('/ws/rest/Currency?limit=1')).status).toBe(200);
    });
  });
}

function prototypeNames(): string[][] {
  return [Object, Array, String, Function, Map].map(({ prototype }) => Reflect.ownKeys(prototype).map(String));
}
