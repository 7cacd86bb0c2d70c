// The service as operators run it: compiled, in a process of its own, set up by environment variables alone.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import { NodeProgram } from './node-program.ts';
import { projectRoot } from './project-root.ts';

export interface ServiceProcessOptions {
  port: number;
  /** `FLAGHOIST_DATA_DIR` or `DATABASE_URL`, and what else is to differ from the defaults. */
  settings: Record<string, string>;
  nodeArgs?: string[];
  /** Another build than that of this checkout. */
  script?: string;
  /** See `NodeProgramOptions`. */
  prefix?: readonly string[];
  /** Where its log goes; without it, the last lines are kept. */
  outputFile?: string;
}

export function startServiceProcess(options: ServiceProcessOptions): NodeProgram {
  const {
    port,
    settings,
    nodeArgs = [],
    script = join(projectRoot, 'packages/server/dist/main.js'),
    prefix = [],
    outputFile,
  } = options;
  return new NodeProgram({
    script,
    args: ['serve'],
    nodeArgs: [...startFlags, ...nodeArgs],
    prefix,
    env: { ...environmentWithoutSettings(), FLAGHOIST_PORT: String(port), ...settings },
    ...(outputFile === undefined ? {} : { outputFile }),
  });
}

/** What `npm start` gives node. */
const startFlags = readStartFlags();

function readStartFlags(): string[] {
  const { scripts } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as {
    scripts: { start: string };
  };
  const [, flags] = /\bnode((?: --\S+)+) packages\/server\/dist\/main\.js\b/.exec(scripts.start) ?? [];
  if (flags === undefined) throw new Error(`What does "npm start" give node? ${scripts.start}`);
  return flags.trim().split(' ');
}

/** Until the service says that it is ready; false if it ended before that. */
export async function awaitReady(program: NodeProgram, origin: string): Promise<boolean> {
  for (;;) {
    if (program.hasExited) return false;
    if (await isReady(origin)) return true;
    await sleep(pauseMs);
  }
}

const pauseMs = 20;

async function isReady(origin: string): Promise<boolean> {
  try {
    const { statusCode, body } = await request(`${origin}/health/ready`, { headersTimeout: 5_000 });
    await body.dump();
    return statusCode === 200;
  } catch {
    return false;
  }
}

/** A setting of the shell that the run was started from must not change what is measured. */
function environmentWithoutSettings(): Record<string, string> {
  const isSetting = (name: string) => name.startsWith('FLAGHOIST_') || name.startsWith('PG') || name === 'DATABASE_URL';
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      value === undefined || isSetting(name) ? [] : [[name, value]],
    ),
  );
}
