// `flaghoist listen` on a terminal: colours, and keys. The terminal is that of `script` (util-linux).

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { administrator } from '../../server/test/support/access.ts';
import { createFleet, createVoyage } from '../../server/test/support/fleet.ts';
import { useTestService } from '../../server/test/support/test-service.ts';
import { useCli } from './support/cli.ts';
import { startTarget } from './support/target.ts';

const service = useTestService();
const cli = useCli(service.url);
const hasScript = spawnSync('script', ['--version']).status === 0;

function onTerminal(args: string[], more: Record<string, string> = {}) {
  const main = fileURLToPath(new URL('../dist/main.js', import.meta.url));
  const line = [process.execPath, main, ...args].map((word) => `'${word}'`).join(' ');
  const child = spawn('script', ['-qefc', line, '/dev/null'], {
    env: {
      PATH: process.env.PATH,
      HOME: cli.configFolder,
      FLAGHOIST_URL: service.url(),
      FLAGHOIST_CLIENT_ID: administrator.clientId,
      FLAGHOIST_CLIENT_SECRET: administrator.clientSecret,
      ...more,
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const terminal = {
    shown: '',
    press: (key: string) => void child.stdin.write(key),
    ended: once(child, 'close').then(([code]) => code as number),
  };
  child.stdout.on('data', (chunk: Buffer) => {
    terminal.shown += chunk;
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return terminal;
}

test.skipIf(!hasScript)('colours, r resends, s skips, and q unsubscribes and ends', { timeout: 90_000 }, async () => {
  const { key } = await createVoyage(service, await createFleet(service));
  const target = await startTarget();
  const args = ['listen', '--event', 'Voyage.U', '--forward-to', target.url];
  const terminal = onTerminal(args);
  const sees = (pattern: RegExp) => expect.poll(() => terminal.shown, { timeout: 30_000 }).toMatch(pattern);
  await sees(/Keys: r resend the last one/);
  const [, secret] = /(whsec_\S+)/.exec(terminal.shown)!;
  service.secrets.plant('the shown secret', secret!);
  await service.put(`/ws/rest/Voyage/${key}`, { comments: 'one' });
  await sees(/204 No Content/);
  expect(terminal.shown).toContain('\u001b[32m204 No Content');
  terminal.press('r');
  await sees(/204 No Content.*resend/);
  expect(target.accepted()).toHaveLength(2);
  target.status = 500;
  await service.put(`/ws/rest/Voyage/${key}`, { comments: 'two' });
  await sees(/500 Internal Server Error.*again in 4 s/);
  expect(terminal.shown).toContain('\u001b[31m500 Internal Server Error');
  terminal.press('s');
  await sees(/Skipped \d+-\d+; the service counts it as delivered\./);
  terminal.press('q');
  expect(await terminal.ended).toBe(0);
  expect(terminal.shown).toMatch(/Unsubscribed\.\r\n$/);

  const plain = onTerminal(args, { NO_COLOR: '1' });
  await expect.poll(() => plain.shown, { timeout: 30_000 }).toContain('Keys:');
  await service.put(`/ws/rest/Voyage/${key}`, { comments: 'three' });
  await expect.poll(() => plain.shown, { timeout: 30_000 }).toContain('500 Internal Server Error');
  // Ctrl+C
  plain.press('\u0003');
  expect(await plain.ended).toBe(0);
  expect(plain.shown).not.toContain('\u001b[3');
});
