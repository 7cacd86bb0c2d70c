import { availableParallelism } from 'node:os';
import { pathToFileURL } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Threads run compiled modules: `new URL('./x-worker.js', import.meta.url)` means the one in dist, also for tests of the source. */
const compiledWorkers = {
  name: 'compiled-workers',
  enforce: 'pre' as const,
  transform(code: string, id: string) {
    if (!/\/src\/.*\.ts$/.test(id) || !code.includes('-worker.js')) return undefined;
    const compiled = pathToFileURL(id.replace('/src/', '/dist/')).href;
    return code.replace(/(new URL\('\.\/[\w-]+-worker\.js', )import\.meta\.url\)/g, `$1${JSON.stringify(compiled)})`);
  },
};

/** Benchmarks and campaigns take up to two minutes each: begun last, they would keep everyone waiting. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => /\/test\/(bench|endurance)\//.test(moduleId);
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

export default defineConfig({
  plugins: [compiledWorkers],
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/shared-server.ts'],
    sequence: { sequencer: LongestFirst },
    pool: 'forks',
    // Much of the time is spent waiting: also on two cores three files at a time are faster than two.
    maxWorkers: Math.max(3, availableParallelism() - 1),
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
