// What a generator writes, and what each language does with that: the client is compiled, and so is a program that uses
// it.

import type { ToolchainName } from '../../../../test/tools/toolchains.ts';

export interface Generator {
  name: string;
  version: string;
  toolchains: ToolchainName[];
  /** As `docs/how-to/generate-a-client.md` shows it, from `openapi.json`. */
  command: string;
  /** Writes the client. */
  generate(work: Work): Promise<unknown>;
  /** Without it, only the generation is tested. */
  program?: Program;
}

export interface Work {
  folder: string;
  /** The file with the API description. */
  document: string;
}

export interface Program {
  /** Under `programs`; its files are copied into `program` of the folder. */
  name: string;
  compile(work: Work): Promise<unknown>;
  /** What it printed. */
  run(work: Work, env: Record<string, string>): Promise<string>;
}
