// Sends from a process of its own, compiled: what a process trusts, and how many files it may open, is settled when it
// starts.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { SendResult } from '../../src/channels/send-result.ts';

export interface ChildWishes {
  urls: readonly string[];
  /** All at once, or one after the other. */
  isAtOnce?: boolean;
  timeoutMs?: number;
  filesMax?: number;
  environment?: Record<string, string>;
}

/** What became of each, in the order of the URLs. */
export async function sendFromChild(wishes: ChildWishes): Promise<SendResult[]> {
  const folder = new URL('../../dist/channels/', import.meta.url);
  const { urls, isAtOnce = false, timeoutMs = 2_000, filesMax, environment = {} } = wishes;
  const args = ['--input-type=module', '-e', program, folder.href, JSON.stringify({ urls, isAtOnce, timeoutMs })];
  const limited = ['-c', `ulimit -n ${filesMax} && exec "$0" "$@"`, process.execPath, ...args];
  const child = spawn(...(filesMax ? (['sh', limited] as const) : ([process.execPath, args] as const)), {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: process.env.PATH, NODE_NO_WARNINGS: '1', ...environment },
  });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  await once(child, 'close');
  return JSON.parse(output);
}

const program = `
  const [folder, text] = process.argv.slice(1);
  const { urls, isAtOnce, timeoutMs } = JSON.parse(text);
  const { HttpChannel } = await import(folder + 'http/http-channel.js');
  const { createAddressPolicy } = await import(folder + 'guard/address-policy.js');
  const { HostResolver } = await import(folder + 'guard/host-resolver.js');
  const channel = new HttpChannel({
    policy: createAddressPolicy(['127.0.0.0/8', '::1']),
    resolver: new HostResolver(),
    timeoutMs,
    userAgent: 'Flaghoist/0.0.0',
    connectionsMax: 100,
  });
  const send = (url) =>
    new Promise((resolve) => channel.send({ url, headers: [], body: '{"secret":"payload"}' }, resolve));
  const results = [];
  if (isAtOnce) results.push(...(await Promise.all(urls.map(send))));
  else for (const url of urls) results.push(await send(url));
  console.log(JSON.stringify(results));
  await channel.close(0);
`;
