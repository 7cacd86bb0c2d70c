// Acknowledgements leave one request at a time, and none waits for another notification.

import { expect, test } from 'vitest';
import { Acknowledger } from '../../src/stream/acknowledger.ts';

test('what is added at the moment in which the sending ends is sent, too', async () => {
  const sent: unknown[] = [];
  const acknowledger = new Acknowledger({
    open: async ({ body }) => {
      sent.push(body);
      return new Response();
    },
    subscriptionKey: 1009,
    onAcknowledged: ([first]) => {
      // After the loop has seen that nothing is waiting, and before anything that waits for its end.
      if (first === 1) queueMicrotask(() => acknowledger.add(2));
    },
    onFinalError: expect.unreachable,
  });
  acknowledger.add(1);
  await expect.poll(() => sent.length).toBeGreaterThan(0);
  await acknowledger.close();
  expect(sent).toEqual([{ notifications: [1] }, { notifications: [2] }]);
});
