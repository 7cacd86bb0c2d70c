// Python: the client is compiled to byte code, and mypy checks the program against it.

import { join } from 'node:path';
import { type PythonList, pythonTools } from '../../../../../test/tools/install-tools.ts';
import { runTool } from '../../../../../test/tools/run-tool.ts';
import type { Program } from '../program.ts';

/** `list`: the packages that the client needs, and mypy. */
export function pythonProgram(name: string, list: PythonList): Program {
  return {
    name,
    compile: async ({ folder }) => {
      const bin = await pythonTools(list);
      const [client, program] = [join(folder, 'client'), join(folder, 'program')];
      await runTool(join(bin, 'python'), ['-m', 'compileall', '-q', client]);
      const env = { MYPYPATH: client };
      await runTool(join(bin, 'mypy'), ['--follow-imports', 'silent', 'main.py'], { cwd: program, env });
    },
    run: async ({ folder }, env) => {
      const path = { PYTHONPATH: join(folder, 'client') };
      const python = join(await pythonTools(list), 'python');
      return runTool(python, [join(folder, 'program/main.py')], { env: { ...env, ...path } });
    },
  };
}
