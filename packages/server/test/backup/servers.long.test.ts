// From the embedded database to a server of another major version, as a role without rights, and back.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import type { Environment } from '../../src/config/load-settings.ts';
import { RunningProgram, servedUrl } from '../cli/running-program.ts';
import { administratorSettings } from '../support/access.ts';
import { hasDebianServer, startDebianServer } from './debian-server.ts';
import { changedByRestore, succeed } from './installations.ts';

const folder = mkdtempSync(join(tmpdir(), 'flaghoist-servers-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const embedded = (name: string): Environment => ({
  FLAGHOIST_DATA_DIR: join(folder, name),
  FLAGHOIST_PORT: '0',
  ...administratorSettings,
});

/** Table → its rows, in some order. */
function rowsOf(file: string): Map<string, string[]> {
  const tables = new Map<string, string[]>();
  const sections = gunzipSync(readFileSync(file)).toString('latin1').split('\n\\.\n');
  sections[0] = sections[0]!.slice(sections[0]!.indexOf('\n') + 1);
  for (const section of sections.slice(0, -1)) {
    const [head, ...rows] = section.split('\n');
    const { schema, table } = JSON.parse(head!) as { schema: string; table: string };
    if (!changedByRestore.includes(`${schema}.${table}`)) tables.set(`${schema}.${table}`, rows.sort());
  }
  return tables;
}

test.skipIf(!hasDebianServer)(
  'every row comes back as it was, and the service starts on each',
  {
    timeout: 300_000,
  },
  async () => {
    const server = { ...embedded('none'), DATABASE_URL: await startDebianServer() };
    const places: [string, Environment][] = [
      ['original', embedded('original')],
      ['server', server],
      ['back', embedded('back')],
    ];
    const files = places.map(([name]) => join(folder, `${name}.gz`));
    for (const [index, [name, settings]] of places.entries()) {
      if (index > 0) {
        await succeed(['restore', files[index - 1]!], settings);
        await succeed(['backup', files[index]!], settings);
        expect([...rowsOf(files[index]!)], name).toEqual([...rowsOf(files[index - 1]!)]);
      }
      const program = new RunningProgram(['serve'], settings);
      await servedUrl(program);
      // The embedded database of a service that runs.
      if (index === 0) await succeed(['user', 'create', 'agent', '--name', 'Agent'], settings);
      await succeed(['backup', files[index]!], settings);
      await program.end();
    }
    const users = [...rowsOf(files[2]!)].find(([table]) => table === 'flaghoist_service.api_user')![1];
    expect(users.filter((row) => row.includes('\tagent\t'))).toHaveLength(1);
  },
);
