// The table of generators: how each writes a client of an API description, as it comes and with normal options, and the
// program that uses the client.

import { cp, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { npmTools, npmVersion, pythonTools, pythonVersion } from '../../../../test/tools/install-tools.ts';
import { runTool } from '../../../../test/tools/run-tool.ts';
import { goProgram } from './languages/go.ts';
import { javaProgram } from './languages/java.ts';
import { pythonProgram } from './languages/python.ts';
import { rustProgram } from './languages/rust.ts';
import { typeScriptProgram } from './languages/typescript.ts';
import { openapiGenerator } from './openapi-generator.ts';
import type { Generator, Work } from './program.ts';

export const generators: Generator[] = [
  openapiGenerator('java', {
    toolchains: ['jdk'],
    // Without it, a PUT sends each list that was not set as an empty one, which deletes the sub-objects.
    options: ['--additional-properties', 'containerDefaultToNull=true'],
    program: javaProgram,
  }),
  openapiGenerator('python', { toolchains: ['python'], program: pythonProgram('python', 'openapi-generator-client') }),
  openapiGenerator('go', {
    toolchains: ['go'],
    options: [
      ...['--git-host', 'example.org', '--git-user-id', 'flaghoist', '--git-repo-id', 'client'],
      ...['--additional-properties', 'packageName=client'],
      // Without it, decimals lose digits: they are floats of 32 bits.
      ...['--type-mappings', 'number=float64'],
    ],
    program: goProgram,
  }),
  openapiGenerator('typescript-fetch', {
    toolchains: [],
    target: 'program/client',
    program: typeScriptProgram('typescript-fetch'),
  }),
  openapiGenerator('rust', {
    toolchains: ['rust', 'linker'],
    options: ['--additional-properties', 'packageName=client'],
    program: rustProgram,
  }),
  openapiGenerator('csharp', { toolchains: [] }),
  {
    name: 'openapi-python-client',
    version: pythonVersion('openapi-python-client', 'openapi-python-client'),
    toolchains: ['python'],
    command: 'openapi-python-client generate --path openapi.json --output-path client',
    generate: async ({ folder, document }) => {
      const bin = await pythonTools('openapi-python-client');
      const target = ['--path', document, '--output-path', join(folder, 'client')];
      const output = await runTool(join(bin, 'openapi-python-client'), ['generate', ...target]);
      const warnings = output.split('\n').filter((line) => /^(WARNING|Unable)/.test(line));
      if (warnings.length > 0) throw new Error(warnings.join('\n'));
    },
    program: pythonProgram('openapi-python-client', 'openapi-python-client'),
  },
  {
    name: 'openapi-typescript',
    version: npmVersion('openapi-typescript'),
    toolchains: [],
    command: 'openapi-typescript openapi.json -o client.ts',
    generate: async ({ folder, document }) =>
      runNpmTool('openapi-typescript', [document, '-o', join(folder, 'program/client.ts')]),
    program: typeScriptProgram('openapi-fetch'),
  },
  {
    name: '@hey-api/openapi-ts',
    version: npmVersion('@hey-api/openapi-ts'),
    toolchains: [],
    command: 'openapi-ts -i openapi.json -o client',
    generate: async ({ folder, document }) =>
      runNpmTool('openapi-ts', ['-i', document, '-o', join(folder, 'program/client')], folder),
    program: typeScriptProgram('hey-api'),
  },
];

async function runNpmTool(name: string, args: string[], cwd?: string): Promise<string> {
  return runTool(join(await npmTools(), '.bin', name), args, cwd === undefined ? {} : { cwd });
}

/** An empty folder with the program in it. Nothing of an earlier run is left. */
export async function prepare({ folder }: Work, { program }: Generator): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(join(folder, 'program'), { recursive: true });
  if (!program) return;
  const template = fileURLToPath(new URL(`programs/${program.name}`, import.meta.url));
  await cp(template, join(folder, 'program'), { recursive: true });
}
