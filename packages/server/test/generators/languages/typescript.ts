// TypeScript: the client and the program are compiled together, strictly, and run by this Node.

import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { npmTools } from '../../../../../test/tools/install-tools.ts';
import { runTool } from '../../../../../test/tools/run-tool.ts';
import type { Program } from '../program.ts';

export function typeScriptProgram(name: string): Program {
  return {
    name,
    compile: async ({ folder }) => {
      const modules = await npmTools();
      const program = join(folder, 'program');
      await symlink(modules, join(program, 'node_modules'));
      await writeFile(join(program, 'package.json'), '{ "private": true, "type": "commonjs" }');
      await writeFile(join(program, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['**/*.ts'] }));
      await runTool(process.execPath, [join(modules, 'typescript/bin/tsc'), '-p', program]);
    },
    run: ({ folder }, env) => runTool(process.execPath, [join(folder, 'program/compiled/main.js')], { env }),
  };
}

const compilerOptions = {
  strict: true,
  target: 'es2022',
  lib: ['es2022', 'dom', 'dom.iterable'],
  module: 'nodenext',
  types: ['node'],
  skipLibCheck: true,
  outDir: 'compiled',
};
