// The clock of the service is set forward and back by an hour, over and over (libfaketime). That of the database is
// not. Durations go by monotonic time, which a step leaves alone.

import { existsSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Hardship } from './hardship.ts';
import { RepeatingCalls } from './repeating-calls.ts';

const libraries = ['x86_64-linux-gnu', 'aarch64-linux-gnu'].map(
  (machine) => `/usr/lib/${machine}/faketime/libfaketime.so.1`,
);
const stepEveryMs = 3_000;
/** Against the clock of the machine. After each step, rates and leases must go on. */
const steps = ['+3600', '+0', '-3600', '+3600', '-3600', '+0'];

export const clockSteps: Hardship = {
  name: 'clock-steps',
  meaning: `The clock of the service steps by up to two hours every ${stepEveryMs / 1000} s (libfaketime).`,
  // A token of the future is refused, and replaced. Rates are limited, so that the limits are used.
  allowed: [401, 429],
  shows: [
    { asker: 'write', status: 201 },
    { asker: 'wrong date', status: 200 },
  ],
  async prepare({ folder }) {
    const library = libraries.find((path) => existsSync(path));
    if (library === undefined) return { kind: 'skipped', reason: 'libfaketime is not installed' };
    const clock = join(folder, 'clock');
    await setClock(clock, '+0');
    let stepping: RepeatingCalls | undefined;
    return {
      kind: 'means',
      database: 'separate',
      settings: {
        LD_PRELOAD: library,
        FAKETIME_TIMESTAMP_FILE: clock,
        FAKETIME_CACHE_DURATION: '1',
        FAKETIME_DONT_FAKE_MONOTONIC: '1',
        DONT_FAKE_MONOTONIC: '1',
        FLAGHOIST_REQUESTS_PER_SECOND: '50',
      },
      begin() {
        let count = 0;
        const step = () => setClock(clock, steps[count++ % steps.length]!);
        stepping = new RepeatingCalls({ count: 1, pauseMs: stepEveryMs, call: step });
      },
      async end() {
        await stepping?.stop();
        await setClock(clock, '+0');
      },
    };
  },
};

/** At once, since it may be read at any moment. */
async function setClock(file: string, offset: string): Promise<void> {
  await writeFile(`${file}.new`, `${offset}\n`);
  await rename(`${file}.new`, file);
}
