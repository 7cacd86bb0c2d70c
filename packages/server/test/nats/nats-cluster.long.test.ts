// A short run of the NATS endurance: three servers, three replicas, two processes, and servers that are killed.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { describeNats } from '../channels/nats-server.ts';
import { runCompiled } from '../support/run-compiled.ts';

describeNats('with three servers', () => {
  test('while one after the other is killed, every change gets into the stream, once', {
    timeout: 300_000,
  }, async () => {
    const results = mkdtempSync(join(tmpdir(), 'flaghoist-nats-results-'));
    onTestFinished(() => rmSync(results, { recursive: true }));
    const { code, stdout, stderr } = await runCompiled('endurance/main.js', [
      'nats',
      '--seconds',
      '20',
      '--results',
      results,
    ]);
    expect(stdout, stderr).toContain('Every change is in the stream, once');
    expect(code).toBe(0);
  });
});
