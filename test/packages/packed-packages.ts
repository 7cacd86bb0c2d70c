// The packages as users get them: packed, and installed into a project of their own that has no other code of ours.

import { type ExecFileOptions, execFile } from 'node:child_process';
import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const root = resolve(import.meta.dirname, '../..');

export interface Project {
  folder: string;
  tarballs: string[];
}

/** Packs all packages, and installs them into `<folder>/project`. Any user may read it. */
export async function installPacked(folder: string): Promise<Project> {
  const packed = join(folder, 'packed');
  const project = join(folder, 'project');
  await Promise.all([chmod(folder, 0o755), mkdir(packed), mkdir(project)]);
  await run('npm', ['pack', '--workspaces', '--pack-destination', packed], { cwd: root });
  const tarballs = (await readdir(packed)).sort().map((name) => join(packed, name));
  await writeFile(join(project, 'package.json'), '{"name": "project", "private": true}');
  await writeFile(join(project, 'package-lock.json'), JSON.stringify(await lockOfDependencies()));
  await run('npm', ['install', '--omit=dev', '--prefer-offline', ...tarballs], { cwd: project });
  return { folder: project, tarballs };
}

/**
 * The packages of others in the versions of this checkout. npm has these in its cache, so the test needs no network
 * after `npm ci`.
 */
async function lockOfDependencies(): Promise<object> {
  const { packages } = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: boolean; link?: boolean }>;
  };
  const others = Object.entries(packages).filter(
    ([path, { dev, link }]) => path.startsWith('node_modules/') && !dev && !link,
  );
  return { name: 'project', lockfileVersion: 3, requires: true, packages: Object.fromEntries(others) };
}

/**
 * Compiles a file in the project with the compiler of this checkout: strict, and with the declarations checked. The
 * result is what the compiler prints: nothing, or the errors.
 */
export async function compileIn({ folder }: Project, file: string): Promise<string> {
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  const options = ['--strict', '--noEmit', '--module', 'nodenext', '--target', 'es2023', '--types', ''];
  const args = [compiler, ...options, '--skipLibCheck', 'false', file];
  const { stdout } = await run(process.execPath, args, { cwd: folder }).catch((error: { stdout: string }) => error);
  return stdout;
}

/** Without the variables by which npm tells its scripts about the checkout. */
export function environment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(npm_|FLAGHOIST_|INIT_CWD)/i.test(name)));
}

export async function run(
  program: string,
  args: string[],
  options: ExecFileOptions,
): Promise<{ stdout: string; stderr: string }> {
  return promisify(execFile)(program, args, {
    env: environment(),
    maxBuffer: 10_000_000,
    ...options,
    encoding: 'utf8',
  });
}
