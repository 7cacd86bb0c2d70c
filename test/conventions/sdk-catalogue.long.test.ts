// `flaghoist types` of any installation compiles, and fits the client: every API version, an external issuer, and a
// model file whose texts try to become code.

import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { renderCatalogue } from '@flaghoist/cli';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildOpenApi } from '../../packages/server/src/describe/build-openapi.ts';
import { versionTable } from '../../packages/server/src/model/api-versions.ts';
import { buildModel } from '../../packages/server/src/model/build-model.ts';
import { catalogue } from '../../packages/server/src/model/catalogue/catalogue.ts';
import { extendCatalogue } from '../../packages/server/src/model/model-file/read-model-file.ts';
import { narrowModel } from '../../packages/server/src/model/narrow-model.ts';
import type { Model } from '../../packages/server/src/model/object-type.ts';
import { withIncluded } from '../../packages/server/src/model/scopes.ts';
import { descriptionOptions, withSettings } from '../../packages/server/test/describe/description-options.ts';

const folder = join(import.meta.dirname, 'rendered');
const hostile = "ends */ } ; export const x: number = 'a'; /* ` \\ \n '";

beforeAll(() => {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
});
afterAll(() => rmSync(folder, { recursive: true }));

function write(name: string, model: Model, options = descriptionOptions, only?: string[]): void {
  const document = JSON.parse(JSON.stringify(buildOpenApi(model, options)));
  writeFileSync(join(folder, `${name}.ts`), renderCatalogue(document, only));
}

test('every rendered catalogue compiles, and a client of each has its types', { timeout: 180_000 }, () => {
  const model = buildModel(catalogue);
  const scopes = withIncluded(['admin']);
  for (const { version } of versionTable) write(`version-${version}`, narrowModel(model, { version, scopes }));
  write('issuer', model, withSettings({ FLAGHOIST_ISSUER_URL: 'https://issuer.example' }));
  const types = {
    Tug: {
      description: hostile,
      attributes: {
        tugName: { kind: 'text', isRequired: true, description: hostile },
        tugClass: { kind: 'code', values: ['ASD', 'VSP'], description: hostile },
        homePort: { kind: 'reference', to: 'Port' },
        voyage: { kind: 'owner', to: 'Voyage', collection: 'tugs' },
      },
    },
  };
  write('own', buildModel(extendCatalogue(JSON.stringify({ types }), 'model.json')));
  writeFileSync(join(folder, 'use-own.ts'), useOwn);
  write('some', model, descriptionOptions, ['PortCall']);
  writeFileSync(join(folder, 'use-some.ts'), useSome);
  const uses = ['own', 'use-own', 'some', 'use-some'];
  const files = [...versionTable.map(({ version }) => `version-${version}`), 'issuer', ...uses];
  const settings = ['--strict', '--noEmit', '--module', 'nodenext', '--target', 'es2023', '--types', 'node'];
  const compiler = join(import.meta.dirname, '../../node_modules/typescript/bin/tsc');
  const paths = files.map((name) => join(folder, `${name}.ts`));
  try {
    execFileSync(process.execPath, [compiler, '--ignoreConfig', ...settings, ...paths]);
  } catch (error) {
    expect.fail(String((error as { stdout: Buffer }).stdout));
  }
});

const useOwn = `
import { createClient } from '@flaghoist/sdk';
import type { Catalogue } from './own.js';

const client = createClient<Catalogue>({ url: 'http://127.0.0.1:8080', token: 'x' });
const tug = await client.create('Tug', { tugName: 'Alma', tugClass: 'ASD', homePort: 'NLRTM', voyage: 1 });
export const port: string = tug.homePort!.unLoCode;
const voyage = await client.get('Voyage', 1, { fields: { tugs: { homePort: { portName: '*' } } } });
export const names: (string | null)[] = voyage.tugs.map(({ homePort }) => homePort?.portName ?? null);
// @ts-expect-error: not one of its codes
await client.create('Tug', { tugName: 'Alma', tugClass: 'X' });
`;

const useSome = `
import { createClient } from '@flaghoist/sdk';
import type { Catalogue } from './some.js';

const client = createClient<Catalogue>({ url: 'http://127.0.0.1:8080', token: 'x' });
const portCall = await client.get('PortCall', 1, { fields: { voyage: { vessel: { vesselName: '*' } } } });
export const name: string | undefined = portCall.voyage.vessel?.vesselName;
const { key } = await client.ensureSubscription({ name: 'Some', eventTypes: ['PortCall.U'], url: 'https://a.example' });
await client.stream(key, { on: { 'PortCall.U': ({ resource }) => resource.eta }, fallback: () => undefined });
// @ts-expect-error: not among them
await client.get('WebhookSubscription', 1);
`;
