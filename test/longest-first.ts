// The order of test files: those that take longest first, so that no worker is left with one of them at the end. Vitest
// knows how long files took on this machine. Elsewhere it goes by their size, which says little: some files wait.

import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Each takes more than 15 seconds on two busy cores. A test checks that all of them exist. */
export const slowFiles: readonly string[] = [
  'packages/server/test/cli/first-start.test.ts',
  'packages/cli/test/listen.test.ts',
  'packages/server/test/cli/json-output.test.ts',
  'packages/server/test/auth/key-rotation.test.ts',
  'packages/embedded-postgres/test/embedded-binaries.test.ts',
  'packages/embedded-postgres/test/embedded-folder.test.ts',
  'packages/server/test/auth/external-issuer-faults.test.ts',
  'packages/server/test/live/live-feed.test.ts',
  'packages/server/test/deliver/ordered.test.ts',
  'packages/server/test/auth/scopes.test.ts',
  'packages/server/test/describe/callers.test.ts',
  'packages/server/test/deliver/parked.test.ts',
  'packages/server/test/installation/installation.test.ts',
  'packages/sdk/test/stream/stream-handlers.test.ts',
  'packages/server/test/edge/drain.test.ts',
  'packages/server/test/channels/host-resolver.test.ts',
  'packages/server/test/deliver/stream-ends.test.ts',
  'packages/server/test/deliver/mail-loop.test.ts',
  'packages/server/test/database/migrate.test.ts',
  'packages/server/test/auth/two-processes.test.ts',
  'packages/server/test/deliver/trouble-found.test.ts',
];

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((one, other) => rankOf(one) - rankOf(other));
  }
}

/** The others come after all of them, in the order of Vitest. */
function rankOf({ moduleId }: TestSpecification): number {
  const rank = slowFiles.findIndex((file) => moduleId.endsWith(`/${file}`));
  return rank === -1 ? slowFiles.length : rank;
}
