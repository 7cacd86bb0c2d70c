// The toolchains that the tests with foreign tools need, each with the oldest version that is enough. No test installs
// one: what needs a toolchain that is not at hand is skipped.

import { spawnSync } from 'node:child_process';
import { stripVTControlCharacters } from 'node:util';

interface Toolchain {
  /** How a skipped test names it. */
  name: string;
  oldest?: string;
  /** Prints the version, and fails if a part is missing. */
  versionCommand: string[];
}

const pythonVersion = 'import ensurepip, platform, venv; print(platform.python_version())';

const toolchains = {
  java: { name: 'Java', oldest: '11', versionCommand: ['java', '-version'] },
  jdk: { name: 'a Java compiler', oldest: '11', versionCommand: ['javac', '-version'] },
  maven: { name: 'Maven', oldest: '3.6', versionCommand: ['mvn', '--version'] },
  python: { name: 'Python with venv', oldest: '3.11', versionCommand: ['python3', '-c', pythonVersion] },
  go: { name: 'Go', oldest: '1.23', versionCommand: ['go', 'env', 'GOVERSION'] },
  rust: { name: 'Rust', oldest: '1.85', versionCommand: ['cargo', '--version'] },
  linker: { name: 'a C compiler', versionCommand: ['cc', '--version'] },
} satisfies Record<string, Toolchain>;

export type ToolchainName = keyof typeof toolchains;

/** What is missing or too old, in words. Undefined if everything is at hand. */
export function missingToolchains(needed: readonly ToolchainName[]): string | undefined {
  const missing = needed.flatMap((name) => missingIn(toolchains[name]));
  return missing.length === 0 ? undefined : `needs ${missing.join(' and ')}`;
}

function missingIn({ name, oldest, versionCommand }: Toolchain): string[] {
  const found = versionOf(versionCommand);
  if (found !== undefined && (oldest === undefined || !isOlder(found, oldest))) return [];
  const wanted = oldest === undefined ? name : `${name} ${oldest} or later`;
  return [`${wanted} (found: ${found ?? 'none'})`];
}

function versionOf([program, ...args]: string[]): string | undefined {
  const { status, stdout, stderr } = spawnSync(program!, args, { encoding: 'utf8' });
  // Maven prints in colour, wherever it prints to.
  return status === 0 ? /\d+(\.\d+)*/.exec(stripVTControlCharacters(stdout + stderr))?.[0] : undefined;
}

function isOlder(found: string, oldest: string): boolean {
  const [parts, oldestParts] = [found, oldest].map((text) => text.split('.').map(Number)) as [number[], number[]];
  const different = oldestParts.findIndex((part, index) => part !== (parts[index] ?? 0));
  return different >= 0 && (parts[different] ?? 0) < oldestParts[different]!;
}
