// What a skipped test says about the toolchain that it needs, and what is a failed download.

import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { isRegistryUnreachable } from './run-tool.ts';
import { missingToolchains } from './toolchains.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'flaghoist-toolchains-'));
  for (const [name, script] of Object.entries(programs)) {
    await writeFile(join(folder, name), `#!/bin/sh\n${script}\n`);
    await chmod(join(folder, name), 0o755);
  }
});
afterAll(() => rm(folder, { recursive: true, force: true }));
afterEach(() => vi.unstubAllEnvs());

/** As the real ones print. */
const programs = {
  java: `echo 'openjdk version "21" 2023-09-19' >&2`,
  javac: 'echo "javac 1.8.0_292"',
  mvn: `printf '\\033[1mApache Maven 3.8.7\\033[m\\n'`,
  go: 'echo go1.19.8',
  cargo: 'echo "no default toolchain is set" >&2; exit 1',
  cc: 'echo "cc (Debian 12.2.0-14+deb12u1) 12.2.0"',
};

test('a toolchain is missing if it is not there, if it does not run, or if it is too old', () => {
  vi.stubEnv('PATH', [folder, '/bin'].join(delimiter));
  expect(missingToolchains(['java', 'maven', 'linker'])).toBeUndefined();
  expect(missingToolchains(['java', 'jdk'])).toBe('needs a Java compiler 11 or later (found: 1.8.0)');
  expect(missingToolchains(['go', 'rust'])).toBe(
    'needs Go 1.23 or later (found: 1.19.8) and Rust 1.85 or later (found: none)',
  );
});

describe('a registry is unreachable', () => {
  test.each([
    ['npm', 'npm error code ECONNREFUSED\nnpm error syscall connect\nnpm error errno ECONNREFUSED'],
    ['npm', 'npm error code E503\nnpm error 503 Service Unavailable - GET https://registry.example/left-pad'],
    ['pip', "WARNING: Retrying (Retry(total=0)) after connection broken by 'NewConnectionError('…')"],
    ['Maven', '[ERROR] Could not transfer artifact a:b:pom:1 from/to central (https://example/): Connection refused'],
    ['Go', 'main.go:2:8: example.org/x@v0.3.0: Get "http://127.0.0.1:1/x.zip": dial tcp 127.0.0.1:1: connect: refused'],
    ['Cargo', 'Caused by:\n  download of config.json failed\n\nCaused by:\n  [7] Could not connect to server'],
    ['a program', 'cargo build was ended by SIGTERM:'],
  ])('if %s says %j', (_, output) => {
    expect(isRegistryUnreachable(output)).toBe(true);
  });

  test.each([
    ['npm', 'npm error code ETARGET\nnpm error notarget No matching version found for typescript@5.9.99.'],
    ['pip', 'ERROR: No matching distribution found for pydantic==99.0'],
    ['Maven', '[ERROR] Could not find artifact a:b:jar:99 in central'],
    ['Maven', '[ERROR] COMPILATION ERROR :\n[ERROR] Voyage.java:[17,8] cannot find symbol'],
    ['Go', './main.go:34:7: body.PortCalls undefined (type *client.VoyageCreate has no field or method PortCalls)'],
    ['Cargo', 'error[E0433]: failed to resolve: use of undeclared type `Voyage`'],
    ['a program', 'The client was answered with 503 Service Unavailable.'],
  ])('but not if %s says %j', (_, output) => {
    expect(isRegistryUnreachable(output)).toBe(false);
  });
});
