// If this process runs out of sockets, the receivers are not to blame.

import { expect, test } from 'vitest';
import { sendFromChild } from './compiled-channel.ts';
import { startReceiver } from './receiver.ts';

test.skipIf(process.platform === 'win32')(
  'FLT-49: out of files, sends fail as faults on our side, and the process lives on',
  async () => {
    const receiver = await startReceiver({ onRequest: () => undefined });
    const results = await sendFromChild({
      urls: Array.from({ length: 80 }, () => receiver.url),
      isAtOnce: true,
      timeoutMs: 1_000,
      filesMax: 60,
    });
    const ours = results.filter((result) => result.kind === 'ownFault');
    expect(ours.length).toBeGreaterThan(10);
    expect(ours[0]).toMatchObject({ reason: expect.stringContaining('EMFILE') });
    // Those that had a socket waited for the receiver.
    expect(results.filter((result) => result.kind === 'failed').length).toBe(80 - ours.length);
    expect(receiver.requests.length).toBe(80 - ours.length);
  },
);
