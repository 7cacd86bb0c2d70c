// Java: Maven compiles the client, with its dependencies.

import { readFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { mavenDependencyPlugin, mavenFlags } from '../../../../../test/tools/install-tools.ts';
import { fetchWithTool, runTool } from '../../../../../test/tools/run-tool.ts';
import type { Program, Work } from '../program.ts';

export const javaProgram: Program = {
  name: 'java',
  compile: async (work) => {
    const program = join(work.folder, 'program');
    const goals = ['compile', `${mavenDependencyPlugin}:build-classpath`, '-Dmdep.outputFile=classpath.txt'];
    await fetchWithTool('mvn', [...mavenFlags, '-DskipTests', ...goals], { cwd: join(work.folder, 'client') });
    await runTool('javac', ['-cp', await classPath(work), '-d', program, join(program, 'Program.java')]);
  },
  run: async (work, env) => {
    const path = [join(work.folder, 'program'), await classPath(work)].join(delimiter);
    return runTool('java', ['-cp', path, 'Program'], { env });
  },
};

async function classPath({ folder }: Work): Promise<string> {
  const client = join(folder, 'client');
  return [join(client, 'target/classes'), await readFile(join(client, 'classpath.txt'), 'utf8')].join(delimiter);
}
