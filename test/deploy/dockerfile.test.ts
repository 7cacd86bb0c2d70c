// The Dockerfile keeps the rules that matter, and copies what is there.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectFolder } from '../conventions/source-files.ts';
import { readDeployed } from './deploy-files.ts';
import { readDockerfile } from './read-dockerfile.ts';

const { instructions, restsOf } = readDockerfile();
const images = ['all-in-one', 'server'];

test('base images are pinned to a major version', () => {
  for (const { rest } of instructions.filter(({ name }) => name === 'FROM')) {
    const [image, tag] = rest.split(' ')[0]!.split(':');
    expect(tag, rest).toBeDefined();
    expect(tag).not.toBe('latest');
    expect(`${image}:${tag}`, rest).toMatch(/node:\d+-|nodejs\d+-debian\d+:/);
  }
});

test('nothing is added from a URL, installed globally, or run by sudo', () => {
  expect(instructions.filter(({ name }) => name === 'ADD')).toEqual([]);
  const commands = instructions.filter(({ name }) => name === 'RUN').map(({ rest }) => rest);
  expect(commands.filter((rest) => /curl|wget|sudo|npm install|npm i |apt-get/.test(rest))).toEqual([]);
  expect(commands.some((rest) => /npm ci --ignore-scripts/.test(rest))).toBe(true);
});

test.each(images)('%s ends as a numeric user other than root', (stage) => {
  expect(restsOf(stage, 'USER').at(-1)).toMatch(/^[1-9]\d*:[1-9]\d*$/);
});

test.each(images)('%s starts without a shell, says how to stop it, and checks its health', (stage) => {
  for (const name of ['ENTRYPOINT', 'CMD']) {
    const forms = restsOf(stage, name);
    expect(forms).toHaveLength(1);
    expect(Array.isArray(JSON.parse(forms[0]!))).toBe(true);
  }
  expect(restsOf(stage, 'STOPSIGNAL')).toEqual(['SIGTERM']);
  expect(restsOf(stage, 'HEALTHCHECK')[0]).toMatch(
    / CMD \["\/\S+\/node", "\/usr\/share\/flaghoist\/check-health.mjs"\]$/,
  );
  expect(restsOf(stage, 'EXPOSE')).toEqual(['8080']);
});

test.each(images)('%s says what it is', (stage) => {
  const labels = restsOf(stage, 'LABEL').join(' ');
  for (const name of ['title', 'description', 'licenses', 'version', 'revision'])
    expect(labels).toContain(`org.opencontainers.image.${name}=`);
});

test('the distroless image runs nothing while it is built: it has no shell', () => {
  expect(restsOf('server', 'RUN')).toEqual([]);
});

/** Sources of `COPY` that come from the checkout. */
const copied = restsOf('build', 'COPY').flatMap((rest) => rest.split(' ').slice(0, -1));

test('every path that is copied exists, and reaches the builder', () => {
  expect(copied.filter((path) => !existsSync(join(projectFolder, path)))).toEqual([]);
  const admitted = readDeployed('../.dockerignore').split('\n');
  expect(admitted).toContain('*');
  expect(copied.filter((path) => !admitted.includes(`!${path}`))).toEqual([]);
});

test('what the build needs is copied', () => {
  const needed = [
    'package.json',
    'package-lock.json',
    'tsconfig.base.json',
    'tsconfig.build.json',
    'packages',
    'scripts',
  ];
  expect(needed.filter((path) => !copied.includes(path))).toEqual([]);
});
