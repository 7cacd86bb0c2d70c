// The commands against a test service, with a home of their own.

import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { afterAll, expect, onTestFinished, vi } from 'vitest';
import { administrator, type Credentials } from '../../../server/test/support/access.ts';
import { type Ending, spawnFlaghoist } from '../../../server/test/support/run-compiled.ts';
import { addServiceCommands, prepareProgram, runProgram } from '../../src/index.ts';

type Environment = Record<string, string | undefined>;

export interface Cli {
  /** Gone when the tests are done. */
  readonly configFolder: string;
  /** To its end, in this process. */
  run(args: string[], environment?: Environment): Promise<Ending>;
  /** To its end, as a program that is given this on standard input. */
  runProgram(args: string[], environment: Environment, input: string): Promise<Ending>;
  /** What it prints; it must succeed without a word on standard error. */
  answer(...args: string[]): Promise<string>;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  json(...args: string[]): Promise<any>;
  /** What it says; it must fail like this and print nothing else. */
  refusal(code: 1 | 2, ...args: string[]): Promise<string>;
  start(args: string[], environment?: Environment): RunningCli;
}

export interface CliOptions {
  credentials?: Credentials;
  /** Default: the commands that talk to a service alone. */
  program?: { path: string; execute(argv: string[]): Promise<void> };
  /** Read for each run. */
  environment?(): Environment;
}

/** To be called at the top of a test file. */
export function useCli(url: () => string, options: CliOptions = {}): Cli {
  const { credentials = administrator, program: used = serviceProgram } = options;
  const configFolder = mkdtempSync(join(tmpdir(), 'flaghoist-cli-'));
  afterAll(() => rmSync(configFolder, { recursive: true, force: true }));
  const environmentOf = (environment: Environment) => ({
    HOME: configFolder,
    XDG_CONFIG_HOME: configFolder,
    FLAGHOIST_URL: url(),
    FLAGHOIST_CLIENT_ID: credentials.clientId,
    FLAGHOIST_CLIENT_SECRET: credentials.clientSecret,
    ...options.environment?.(),
    ...environment,
  });
  const checked = (ending: Ending) => {
    expect(ending.stdout + ending.stderr).not.toContain(credentials.clientSecret);
    return ending;
  };
  const spawn = (args: string[], environment: Environment = {}, stdin: 'ignore' | 'pipe' = 'ignore') =>
    spawnFlaghoist(args, environmentOf(environment), used.path, stdin);
  const run = async (args: string[], environment: Environment = {}) =>
    checked(await runHere(args, environmentOf(environment), used.execute));
  const answer = async (...args: string[]) => {
    const { code, stdout, stderr } = await run(args);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return stdout;
  };
  return {
    configFolder,
    run,
    runProgram: async (args, environment, input) => {
      const program = new RunningCli(spawn(args, environment, 'pipe'), input);
      const code = await program.ended;
      return checked({ code, stdout: program.stdout, stderr: program.stderr });
    },
    answer,
    json: async (...args) => JSON.parse(await answer(...args, '--json')),
    refusal: async (expected, ...args) => {
      const { code, stdout, stderr } = await run(args);
      expect({ code, stdout }).toEqual({ code: expected, stdout: '' });
      expect(stderr).not.toMatch(/^\s+at /m);
      return stderr;
    },
    start: (args, environment) => {
      const program = new RunningCli(spawn(args, environment));
      onTestFinished(async () => void (await program.end('SIGKILL')));
      return program;
    },
  };
}

const serviceProgram = {
  path: 'packages/cli/dist/main.js',
  execute: (argv: string[]) => {
    const program = prepareProgram(new Command('flaghoist'), '0.1.0');
    addServiceCommands(program);
    return runProgram(program, argv);
  },
};

/** A program of its own takes ten times as long. Tests in a file run one after the other. */
async function runHere(
  args: string[],
  environment: Environment,
  execute: (argv: string[]) => Promise<void>,
): Promise<Ending> {
  const texts = { stdout: '', stderr: '' };
  const spies = (['stdout', 'stderr'] as const).map((name) =>
    vi.spyOn(process[name], 'write').mockImplementation((text) => {
      texts[name] += text;
      return true;
    }),
  );
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  const codeBefore = process.exitCode;
  process.exitCode = 0;
  try {
    await execute(['node', 'flaghoist', ...args]);
    return { code: Number(process.exitCode), ...texts };
  } finally {
    for (const spy of spies) spy.mockRestore();
    vi.unstubAllEnvs();
    process.exitCode = codeBefore;
  }
}

export class RunningCli {
  stdout = '';
  stderr = '';
  readonly ended: Promise<number>;
  readonly #child: ChildProcess;

  constructor(child: ChildProcess, input?: string) {
    this.#child = child;
    this.ended = once(child, 'close').then(([code]) => code as number);
    for (const name of ['stdout', 'stderr'] as const)
      child[name]!.on('data', (chunk: Buffer) => {
        this[name] += chunk;
      });
    if (input !== undefined) child.stdin?.end(input);
  }

  /** The match, once it is on standard error. */
  async says(pattern: RegExp, timeout = 30_000): Promise<RegExpExecArray> {
    return vi.waitFor(
      () => {
        const match = pattern.exec(this.stderr);
        if (!match) throw new Error(`${pattern} was not said, but:\n${this.stderr}\n${this.stdout}`);
        return match;
      },
      { timeout, interval: 20 },
    );
  }

  /** JSON lines, once there are so many that match. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into lines of every shape.
  async lines(count: number, isCounted: (line: any) => boolean = () => true, timeout = 30_000): Promise<any[]> {
    return vi.waitFor(
      () => {
        const whole = this.stdout.slice(0, this.stdout.lastIndexOf('\n') + 1);
        const lines = whole
          .split('\n')
          .filter((line) => line !== '')
          .map((line) => JSON.parse(line))
          .filter(isCounted);
        if (lines.length < count) throw new Error(`There are ${lines.length} lines:\n${this.stdout}\n${this.stderr}`);
        return lines;
      },
      { timeout, interval: 20 },
    );
  }

  async end(signal: NodeJS.Signals = 'SIGTERM'): Promise<number> {
    this.#child.kill(signal);
    return this.ended;
  }
}
