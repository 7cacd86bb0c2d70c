// Reads the Dockerfile: its stages, each with its instructions.

import { readDeployed } from './deploy-files.ts';

export interface Instruction {
  name: string;
  rest: string;
}

export interface Dockerfile {
  instructions: Instruction[];
  /** What follows an instruction of this name in a stage. */
  restsOf(stage: string, name: string): string[];
  /** The variables of the stage. */
  environmentOf(stage: string): Record<string, string>;
  /** The program that a container runs, with its arguments. */
  commandOf(stage: string): string[];
}

export function readDockerfile(): Dockerfile {
  const instructions = parseInstructions(readDeployed('image/Dockerfile'));
  const stages = splitAtFrom(instructions);
  const restsOf = (stage: string, name: string) =>
    stages.get(stage)!.flatMap((one) => (one.name === name ? [one.rest] : []));
  return {
    instructions,
    restsOf,
    environmentOf: (stage) => Object.fromEntries(restsOf(stage, 'ENV').flatMap(parsePairs)),
    commandOf: (stage) => ['ENTRYPOINT', 'CMD'].flatMap((name) => JSON.parse(restsOf(stage, name)[0]!) as string[]),
  };
}

function parseInstructions(text: string): Instruction[] {
  const lines = text
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n/g, ' ')
    .split('\n');
  return lines
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [, name, rest] = /^([A-Z]+) +(.*)$/.exec(line)!;
      return { name: name!, rest: rest!.replaceAll(/ +/g, ' ') };
    });
}

function splitAtFrom(all: Instruction[]): Map<string, Instruction[]> {
  const stages = new Map<string, Instruction[]>();
  for (const instruction of all) {
    if (instruction.name === 'FROM') stages.set(/ AS (\S+)$/.exec(instruction.rest)![1]!, []);
    [...stages.values()].at(-1)!.push(instruction);
  }
  return stages;
}

/** `A=1 B="2 3"` */
function parsePairs(text: string): [string, string][] {
  return [...text.matchAll(/(\w+)=(?:"([^"]*)"|(\S+))/g)].map(([, name, quoted, plain]) => [name!, quoted ?? plain!]);
}
