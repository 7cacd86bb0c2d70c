// Rust: the program has the client as a crate beside it.

import { join } from 'node:path';
import { cargoEnvironment, cargoFlags } from '../../../../../test/tools/install-tools.ts';
import { fetchWithTool, runTool } from '../../../../../test/tools/run-tool.ts';
import type { Program } from '../program.ts';

export const rustProgram: Program = {
  name: 'rust',
  compile: ({ folder }) => {
    const options = { cwd: join(folder, 'program'), env: cargoEnvironment };
    return fetchWithTool('cargo', ['build', '--quiet', ...cargoFlags], options);
  },
  run: (_, env) => runTool(join(cargoEnvironment.CARGO_TARGET_DIR, 'debug/program'), [], { env }),
};
