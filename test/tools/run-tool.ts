// Runs the programs of other languages: compilers, package clients and generators. They yield to whatever else runs on
// the machine. What is fetched from a registry is tried twice, and nothing else is.

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

export interface ToolOptions {
  cwd?: string;
  env?: Record<string, string>;
  timeoutMs?: number;
}

/** A package registry does not answer. That says nothing about this project. */
export class RegistryUnreachable extends Error {}

/** What it printed. If it fails, the error has the end of that. */
export async function runTool(program: string, args: string[], options: ToolOptions = {}): Promise<string> {
  const { cwd, env, timeoutMs = 15 * 60_000 } = options;
  const [command, ...rest] = process.platform === 'win32' ? [program, ...args] : ['nice', '-n', '10', program, ...args];
  try {
    const { stdout } = await promisify(execFile)(command!, rest, {
      cwd,
      env: { ...process.env, ...env },
      maxBuffer: outputBytesMax,
      timeout: timeoutMs,
    });
    return stdout;
  } catch (error) {
    const { stdout = '', stderr = '', code, signal } = error as Partial<Record<string, string>>;
    const output = `${stdout}\n${stderr}`.trim();
    const ending = signal ? `was ended by ${signal}` : `failed with ${code}`;
    throw new Error(`${program} ${args[0] ?? ''} ${ending}:\n${output.slice(-shownMax)}`);
  }
}

/** Like `runTool`, for a program that fetches packages. */
export async function fetchWithTool(program: string, args: string[], options: ToolOptions = {}): Promise<string> {
  const run = () => runTool(program, args, options).catch(throwUnreachable);
  return run().catch((error: Error) => {
    if (!(error instanceof RegistryUnreachable)) throw error;
    process.stderr.write(`A package registry does not answer, so this is tried once more:\n${error.message}\n`);
    return run();
  });
}

function throwUnreachable(error: Error): never {
  throw isRegistryUnreachable(error.message) ? new RegistryUnreachable(error.message) : error;
}

/** Whether the output of npm, pip, Maven, Go or Cargo says that there was no answer, or a 5xx; or it took too long. */
export function isRegistryUnreachable(output: string): boolean {
  return signsOfNoAnswer.some((sign) => sign.test(output));
}

const signsOfNoAnswer = [
  /was ended by SIGTERM/,
  /npm (error|ERR!) (code|errno) (E5\d\d|ENOTFOUND|EAI_AGAIN|ECONN\w+|ETIMEDOUT|ERR_SOCKET_TIMEOUT)/,
  /connection broken by|ReadTimeoutError|HTTP error 5\d\d/,
  /Could not transfer artifact/,
  /dial tcp|TLS handshake timeout|proxyconnect|: 5\d\d (Bad Gateway|Service Unavailable|Gateway Time-?out)/,
  /spurious network error|download of .* failed|\[\d+\] (Could not|Couldn't|Timeout)/,
];

const outputBytesMax = 64 * 1024 * 1024;
const shownMax = 6000;
