import { execFileSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const folder = import.meta.dirname;
const ourCompiled = new RegExp(`^${folder.replaceAll('\\', '/').replaceAll(/[.*+?^${}()|[\]]/g, '\\$&')}/dist/`);

/**
 * Tests run what is shipped: the compiled modules, which Node loads by itself. From the source, each test file would have its modules
 * transformed one by one, for two seconds.
 */
const compiledModules: Plugin = {
  name: 'compiled-modules',
  enforce: 'pre',
  configureServer() {
    for (const project of ['tsconfig.build.json', 'tsconfig.bench.json'])
      execFileSync(process.execPath, [join(folder, 'node_modules/typescript/bin/tsc'), '-p', join(folder, project)], {
        stdio: 'inherit',
      });
  },
  resolveId(source, importer) {
    if (!importer || !source.startsWith('.')) return undefined;
    const inSource = /^src[\\/](.*)\.ts$/.exec(relative(folder, resolve(dirname(importer), source)));
    return inSource ? join(folder, `dist/${inSource[1]}.js`) : undefined;
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
  plugins: [compiledModules],
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/shared-server.ts'],
    sequence: { sequencer: LongestFirst },
    pool: 'forks',
    // Modules are loaded, and compiled by the engine, once for each worker, as in a service that has run for a while; no module keeps state that a test could notice.
    isolate: false,
    server: { deps: { external: [ourCompiled] } },
    // Much of the time is spent waiting: also on two cores three files at a time are faster than two.
    maxWorkers: Math.max(3, availableParallelism() - 1),
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
