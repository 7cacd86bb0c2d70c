// openapi-generator, as a jar of Maven. It has one generator for each language.

import { join } from 'node:path';
import { mavenJar } from '../../../../test/tools/install-tools.ts';
import { runTool } from '../../../../test/tools/run-tool.ts';
import type { ToolchainName } from '../../../../test/tools/toolchains.ts';
import type { Generator, Program } from './program.ts';

const name = 'openapi-generator-cli';
const version = '7.25.0';
// Half of the processor time: 11 s instead of 21 s.
const forShortRuns = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC'];

interface Options {
  toolchains: ToolchainName[];
  options?: string[];
  target?: string;
  program?: Program;
}

export function openapiGenerator(
  language: string,
  { toolchains, options = [], target = 'client', program }: Options,
): Generator {
  return {
    name: `openapi-generator ${language}`,
    version,
    toolchains: ['java', 'maven', ...toolchains],
    command: ['java', '-jar', `${name}-${version}.jar`, ...argumentsOf('openapi.json', 'client')].join(' '),
    generate: async ({ folder, document }) => {
      const jar = await mavenJar(`org.openapitools:${name}`, version);
      return runTool('java', [...forShortRuns, '-jar', jar, ...argumentsOf(document, join(folder, target))]);
    },
    ...(program && { program }),
  };

  function argumentsOf(document: string, folder: string): string[] {
    return ['generate', '-i', document, '-g', language, '-o', folder, ...options];
  }
}
