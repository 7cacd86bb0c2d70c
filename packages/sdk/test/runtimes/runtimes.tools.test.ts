// The checks on other runtimes than this one, from the npm registry.

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { fetchWithTool } from '../../../../test/tools/run-tool.ts';
import { installOnce } from '../../../../test/tools/tool-cache.ts';
import { withTools } from '../../../../test/tools/with-tools.ts';

const run = promisify(execFile);
const pathOf = (file: string) => fileURLToPath(new URL(file, import.meta.url));

/** The package, its program, and how it runs a file. */
const runtimes = [
  { name: 'node-20', install: 'node@20.20.2', program: 'node', args: [] },
  { name: 'node-24', install: 'node@24.9.0', program: 'node', args: [] },
  { name: 'node-26', install: 'node@26.10.0', program: 'node', args: [] },
  { name: 'bun', install: 'bun@1.4.4', program: 'bun', args: ['run'] },
  {
    name: 'deno',
    install: 'deno@2.9.6',
    program: 'deno',
    args: ['run', '--allow-read', '--allow-env', '--allow-net=127.0.0.1', '--no-lock'],
  },
];

test.for(runtimes)(
  'the receiver and the stream consumer work on $name',
  { timeout: 1_800_000 },
  async (runtime, context) => {
    const program = await withTools(context, [], () => install(runtime));
    const receiver = await run(program, [...runtime.args, pathOf('receiver-checks.mjs')]);
    expect(receiver.stdout).toMatch(/^\d+ checks passed\.\n$/);
    const stream = await run(program, [...runtime.args, pathOf('stream-checks.mjs')]);
    expect(stream.stdout).toMatch(/^\d+ connections, all handled\.\n$/);
  },
);

async function install({ install: specifier, program }: (typeof runtimes)[number]): Promise<string> {
  const folder = await installOnce(`runtime-${specifier.replaceAll(/[@.]/g, '-')}`, (target) =>
    fetchWithTool('npm', ['install', '--no-audit', '--no-fund', '--no-save', '--prefix', target, specifier]),
  );
  return join(folder, 'node_modules/.bin', program);
}
