// The clock of the service is set forward and back by an hour, repeatedly (libfaketime). The clock of the database is
// not. Durations use monotonic time, which a step does not affect.

import { existsSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Hardship } from './hardship.ts';
import { RepeatingCalls } from './repeating-calls.ts';

const libraries = ['x86_64-linux-gnu', 'aarch64-linux-gnu'].map(
  (machine) => `/usr/lib/${machine}/faketime/libfaketime.so.1`,
);
const stepEveryMs = 3_000;
/** Offsets to the clock of the machine. After each step, rates and leases must still work. */
const steps = ['+3600', '+0', '-3600', '+3600', '-3600', '+0'];

export const clockSteps: Hardship = {
  name: 'clock-steps',
  meaning: `The clock of the service steps by up to two hours every ${stepEveryMs / 1000} s (libfaketime).`,
  // A token from the future is rejected and replaced. Rates are limited, so that the limits are exercised.
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

/** Atomically, because it may be read at any moment. */
async function setClock(file: string, offset: string): Promise<void> {
  await writeFile(`${file}.new`, `${offset}\n`);
  await rename(`${file}.new`, file);
}
