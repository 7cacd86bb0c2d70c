// The service as operators run it: compiled, in its own process, configured by environment variables alone.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import { NodeProgram } from './node-program.ts';
import { projectRoot } from './project-root.ts';

export interface ServiceProcessOptions {
  port: number;
  /** `FLAGHOIST_DATA_DIR` or `DATABASE_URL`, and other settings that differ from the defaults. */
  settings: Record<string, string>;
  nodeArgs?: string[];
  /** Another build than this checkout. */
  script?: string;
  /** See `NodeProgramOptions`. */
  prefix?: readonly string[];
  /** The file of its log. Without it, the last lines are kept in memory. */
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

/** The node options of `npm start`. */
const startFlags = readStartFlags();

function readStartFlags(): string[] {
  const { scripts } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as {
    scripts: { start: string };
  };
  const [, flags] = /\bnode((?: --\S+)+) packages\/server\/dist\/main\.js\b/.exec(scripts.start) ?? [];
  if (flags === undefined) throw new Error(`What does "npm start" give node? ${scripts.start}`);
  return flags.trim().split(' ');
}

/** Waits until the service is ready; false if it exits first. */
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

/** Settings in the environment of the caller must not affect the measurement. */
function environmentWithoutSettings(): Record<string, string> {
  const isSetting = (name: string) => name.startsWith('FLAGHOIST_') || name.startsWith('PG') || name === 'DATABASE_URL';
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      value === undefined || isSetting(name) ? [] : [[name, value]],
    ),
  );
}
