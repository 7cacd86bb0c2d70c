import { execFileSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const folder = import.meta.dirname;
const ourCompiled = new RegExp(
  `^${folder.replaceAll('\\', '/').replaceAll(/[.*+?^${}()|[\]]/g, '\\$&')}/packages/[^/]+/dist/`,
);

/**
 * Tests run what is shipped: the compiled modules, which Node loads by itself. From the source, each test file would have its modules
 * transformed one by one, for two seconds.
 */
const compiledModules: Plugin = {
  name: 'compiled-modules',
  enforce: 'pre',
  configureServer() {
    compile('-b', 'tsconfig.build.json');
    compile('-p', 'tsconfig.bench.json');
  },
  resolveId(source, importer) {
    if (!importer || !source.startsWith('.')) return undefined;
    const path = relative(folder, resolve(dirname(importer), source));
    const inSource = /^packages[\\/]([^\\/]+)[\\/]src[\\/](.*)\.ts$/.exec(path);
    return inSource ? join(folder, `packages/${inSource[1]}/dist/${inSource[2]}.js`) : undefined;
  },
};

function compile(how: '-b' | '-p', project: string): void {
  const compiler = join(folder, 'node_modules/typescript/bin/tsc');
  execFileSync(process.execPath, [compiler, how, join(folder, project)], { stdio: 'inherit' });
}

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
    include: ['test/**/*.test.ts', 'packages/*/test/**/*.test.ts'],
    globalSetup: ['packages/server/test/support/shared-server.ts'],
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
