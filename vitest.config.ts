import { execFileSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/longest-first.ts';

const folder = import.meta.dirname;
const ourCompiled = new RegExp(
  `^${folder.replaceAll('\\', '/').replaceAll(/[.*+?^${}()|[\]]/g, '\\$&')}/packages/[^/]+/dist/`,
);

/**
 * Tests run what is shipped: the compiled modules, which Node loads by itself. From the source, the modules of each
 * test file would be transformed one by one, which takes two seconds.
 */
const compiledModules: Plugin = {
  name: 'compiled-modules',
  enforce: 'pre',
  configureServer() {
    execFileSync(process.execPath, [join(folder, 'scripts/build-console.mjs')], { stdio: 'inherit' });
    compile('-b', 'tsconfig.build.json');
    compile('-p', 'tsconfig.bench.json');
  },
  resolveId(source, importer) {
    if (!importer || !source.startsWith('.')) return undefined;
    const path = relative(folder, resolve(dirname(importer), source));
    // The console is bundled for browsers.
    const inSource = /^packages[\\/](?!console)([^\\/]+)[\\/]src[\\/](.*)\.ts$/.exec(path);
    return inSource ? join(folder, `packages/${inSource[1]}/dist/${inSource[2]}.js`) : undefined;
  },
};

function compile(how: '-b' | '-p', project: string): void {
  const compiler = join(folder, 'node_modules/typescript/bin/tsc');
  execFileSync(process.execPath, [compiler, how, join(folder, project)], { stdio: 'inherit' });
}

/**
 * `npm test` runs the quick tests; `npm run test:long` runs campaigns, smoke runs of benchmarks, and statistics;
 * `npm run test:tools` runs tests that install tools from package registries, such as generators of clients.
 */
const testsNamed = (suffix: string) => ['test', 'packages/*/test'].map((folder) => `${folder}/**/*${suffix}.test.ts`);
const separate: Readonly<Record<string, string[]>> = { long: testsNamed('.long'), tools: testsNamed('.tools') };

export default defineConfig(({ mode }) => ({
  plugins: [compiledModules],
  test: {
    include: separate[mode] ?? testsNamed(''),
    exclude: mode in separate ? [] : Object.values(separate).flat(),
    globalSetup: ['packages/server/test/support/shared-server.ts'],
    pool: 'forks',
    // Modules are loaded and compiled once for each worker. No module has state that a test could notice.
    isolate: false,
    server: { deps: { external: [ourCompiled] } },
    // Tests spend much of their time waiting, so more files than cores run at a time. Compilers do not wait.
    maxWorkers: mode === 'tools' ? 2 : Math.max(3, availableParallelism()),
    sequence: { sequencer: LongestFirst },
    // Only against tests that hang. On a busy machine a test takes many times as long.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 10_000 } },
  },
}));
