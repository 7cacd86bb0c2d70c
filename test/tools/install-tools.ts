// Installs the foreign tools of the tests, in exact versions with all that they depend on: those of npm from
// `npm/package-lock.json`, those of Python from `python/*.txt`, and jars of Maven.

import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { copyFile, readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { projectRoot } from '../../bench/harness/project-root.ts';
import { fetchWithTool, runTool } from './run-tool.ts';
import { cacheFolder, installOnce } from './tool-cache.ts';

const lists = join(projectRoot, 'test/tools');

/** The exact version of a package of `npm/package.json`. */
export function npmVersion(name: string): string {
  const { dependencies } = JSON.parse(readFileSync(join(lists, 'npm/package.json'), 'utf8'));
  return dependencies[name];
}

/** The `node_modules` with all packages of `npm/package.json`. */
export async function npmTools(): Promise<string> {
  const files = ['package.json', 'package-lock.json'].map((name) => join(lists, 'npm', name));
  const folder = await installOnce(`npm-${await digestOf(files)}`, async (target) => {
    for (const file of files) await copyFile(file, join(target, file.slice(lists.length + '/npm/'.length)));
    await fetchWithTool('npm', ['ci', '--no-audit', '--no-fund', '--ignore-scripts'], { cwd: target });
  });
  return join(folder, 'node_modules');
}

export type PythonList = 'openapi-generator-client' | 'openapi-python-client' | 'schemathesis';

/** The exact version of a package of `python/<list>.txt`. */
export function pythonVersion(list: PythonList, name: string): string {
  const text = readFileSync(pythonFile(list), 'utf8');
  return new RegExp(`^${name}==(.+)$`, 'm').exec(text)![1]!;
}

/** The `bin` of a virtual environment with the packages of `python/<list>.txt`. */
export async function pythonTools(list: PythonList): Promise<string> {
  return pythonPackages(list, pythonFile(list));
}

/** The same for another file with requirements. */
export async function pythonPackages(name: string, requirements: string): Promise<string> {
  const folder = await installOnce(`python-${name}-${await digestOf([requirements])}`, async (environment) => {
    await runTool('python3', ['-m', 'venv', environment]);
    const args = ['install', '--disable-pip-version-check', '--requirement', requirements];
    await fetchWithTool(join(environment, 'bin/pip'), args);
  });
  return join(folder, 'bin');
}

/** The jar of an artifact without its dependencies. */
export async function mavenJar(artifact: string, version: string): Promise<string> {
  const name = artifact.split(':')[1]!;
  const folder = await installOnce(`maven-${name}-${version}`, (target) =>
    fetchWithTool('mvn', [
      ...mavenFlags,
      `${mavenDependencyPlugin}:copy`,
      `-Dartifact=${artifact}:${version}`,
      `-DoutputDirectory=${target}`,
    ]),
  );
  return join(folder, `${name}-${version}.jar`);
}

// In full: after a short name, an error does not say that the registry was not reached.
export const mavenDependencyPlugin = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1';

export const mavenFlags = ['-q', '-B', `-Dmaven.repo.local=${join(cacheFolder, 'maven-repository')}`];

export const goEnvironment = {
  GOMODCACHE: join(cacheFolder, 'go-modules'),
  GOCACHE: join(cacheFolder, 'go-build'),
  GOFLAGS: '-mod=mod -modcacherw -buildvcs=false',
  GOTOOLCHAIN: 'local',
};

export const cargoEnvironment = {
  CARGO_HOME: join(cacheFolder, 'cargo-home'),
  CARGO_TARGET_DIR: join(cacheFolder, 'cargo-target'),
};

/** Settings of the user, for example another registry. Cargo finds them only in its own folder. */
export const cargoFlags = [join(process.env.CARGO_HOME ?? join(homedir(), '.cargo'), 'config.toml')]
  .filter((file) => existsSync(file))
  .flatMap((file) => ['--config', file]);

function pythonFile(list: PythonList): string {
  return join(lists, `python/${list}.txt`);
}

async function digestOf(files: string[]): Promise<string> {
  const hash = createHash('sha256');
  for (const file of files) hash.update(await readFile(file));
  return hash.digest('hex').slice(0, 12);
}
