// Go: the program has the client as a module beside it.

import { join } from 'node:path';
import { goEnvironment } from '../../../../../test/tools/install-tools.ts';
import { fetchWithTool, runTool } from '../../../../../test/tools/run-tool.ts';
import type { Program } from '../program.ts';

export const goProgram: Program = {
  name: 'go',
  compile: ({ folder }) => {
    const options = { cwd: join(folder, 'program'), env: goEnvironment };
    return fetchWithTool('go', ['build', '-o', 'program', '.'], options);
  },
  run: ({ folder }, env) => runTool(join(folder, 'program/program'), [], { env }),
};
