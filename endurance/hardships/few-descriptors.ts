// The service may open 128 files and sockets, and a crowd opens more connections than that.

import type { Hardship } from './hardship.ts';
import { RepeatingCalls } from './repeating-calls.ts';

const descriptors = 128;
const connections = 200;

export const fewDescriptors: Hardship = {
  name: 'few-descriptors',
  meaning: `The service runs with "ulimit -n ${descriptors}", and ${connections} clients keep connections open.`,
  allowed: [503, 'lost'],
  shows: [{ asker: 'crowd', status: 200 }],
  prepare() {
    if (process.platform === 'win32') return { kind: 'skipped', reason: 'Windows has no such limit' };
    let crowd: RepeatingCalls | undefined;
    return {
      kind: 'means',
      database: 'separate',
      prefix: ['/bin/sh', '-c', `ulimit -n ${descriptors} && exec "$0" "$@"`],
      begin(stage) {
        const call = () => stage.crowd.ask({ method: 'GET', path: 'Currency?limit=1' });
        crowd = new RepeatingCalls({ count: connections, pauseMs: 2_000, call });
      },
      async end() {
        await crowd?.stop();
      },
    };
  },
};
