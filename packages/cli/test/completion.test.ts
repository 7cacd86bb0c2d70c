// `flaghoist completion` and `flaghoist types`: text that other programs read.

import { execFile, execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { useTestService } from '../../server/test/support/test-service.ts';
import { renderCatalogue } from '../src/index.ts';
import { useCli } from './support/cli.ts';

const service = useTestService();
const cli = useCli(service.url);

function has(shell: string): boolean {
  try {
    execFileSync(shell, ['-c', 'exit 0']);
    return true;
  } catch {
    return false;
  }
}

/** What bash offers for a line whose last word is not finished. */
async function offeredInBash(...words: string[]): Promise<string[]> {
  const script = `${await cli.answer('completion', 'bash')}
COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _flaghoist
printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout } = await promisify(execFile)('bash', ['-c', script], { cwd: cli.configFolder });
  return stdout.split('\n').filter((word) => word !== '');
}

describe.skipIf(!has('bash'))('in bash', () => {
  test('commands, commands of a group, and options are completed', async () => {
    expect(await offeredInBash('flaghoist', 'li')).toEqual(['listen']);
    expect(await offeredInBash('flaghoist', 'subscription', 's')).toEqual(['show']);
    expect(await offeredInBash('flaghoist', 'listen', '--event', 'Voyage.U', '--fo')).toEqual(['--forward-to']);
    expect(await offeredInBash('flaghoist', 'completion', '')).toEqual(expect.arrayContaining(['bash', 'zsh', 'fish']));
  });
});

test.each(['zsh', 'fish'])('%s reads its script without a mistake', async (shell) => {
  const script = await cli.answer('completion', shell);
  expect(script).toContain('unsubscribe');
  if (!has(shell)) return;
  const file = join(cli.configFolder, `completion.${shell}`);
  await writeFile(file, script);
  await promisify(execFile)(shell, ['-n', file]);
});

test('an unknown shell is wrong usage', async () => {
  expect(await cli.refusal(2, 'completion', 'tcsh')).toContain('Allowed choices are bash, zsh, fish.');
});

test('types writes the catalogue of the service, as of a version', async () => {
  const description = (await service.get('/openapi.json')).body;
  expect(await cli.answer('types')).toBe(renderCatalogue(description));
  const file = join(cli.configFolder, 'old.ts');
  const written = await cli.json('types', '--api-version', '3.3', '--out', file);
  const text = await readFile(file, 'utf8');
  expect(written).toMatchObject({ file, bytes: Buffer.byteLength(text) });
  expect(written.objectTypes).toEqual(expect.arrayContaining(['Voyage', 'WebhookSubscription']));
  expect(text).toContain('export interface Catalogue {');
  expect(text).not.toContain('doNotUnsubscribe');
  expect(await cli.refusal(1, 'types', '--out', join(cli.configFolder, 'no/such/folder.ts'))).toContain(
    '--out: ENOENT',
  );
  expect(await cli.refusal(1, 'types', '--api-version', '0.1')).toContain('openapi.json?version=0.1 cannot be read');
});

test('types writes only what is asked for, and all that it refers to', async () => {
  const { objectTypes, types } = await cli.json('types', '--only', 'cargo,Port');
  expect(objectTypes).toEqual(expect.arrayContaining(['Cargo', 'Voyage', 'PortCall', 'Port', 'Vessel']));
  expect(objectTypes).not.toContain('WebhookSubscription');
  const declared = [...types.matchAll(/^ {2}(\w+): \{$/gm)].map(([, name]) => name);
  expect(declared).toEqual(objectTypes);
  const leaves = await cli.json('types', '--only', 'Port');
  expect(leaves.objectTypes).not.toContain('Voyage');
  expect(leaves.types).not.toContain('VoyageCreate');
  expect(await cli.refusal(2, 'types', '--only', 'Voyge')).toBe(
    'error: There is no object type "Voyge". Did you mean "Voyage"?\n',
  );
  expect(await cli.refusal(2, 'types', '--only', ',')).toContain('--only takes object types');
});
