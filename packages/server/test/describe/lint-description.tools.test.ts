// redocly and spectral, with their recommended rules, have nothing to say about the API description: in every API
// version, with an external issuer, and with what a model file adds.

import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, type TestContext, test } from 'vitest';
import { npmTools } from '../../../../test/tools/install-tools.ts';
import { withTools } from '../../../../test/tools/with-tools.ts';
import { buildOpenApi } from '../../src/describe/build-openapi.ts';
import { versionTable } from '../../src/model/api-versions.ts';
import { buildModel } from '../../src/model/build-model.ts';
import { catalogue } from '../../src/model/catalogue/catalogue.ts';
import { extendCatalogue } from '../../src/model/model-file/read-model-file.ts';
import { VisibleModels } from '../../src/model/narrow-model.ts';
import { withIncluded } from '../../src/model/scopes.ts';
import { descriptionOptions, withSettings } from './description-options.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'flaghoist-lint-'));
  for (const [name, build] of files) await writeFile(join(folder, `${name}.json`), JSON.stringify(build()));
  await writeFile(join(folder, 'spectral.yaml'), 'extends: ["spectral:oas"]\n');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const files = new Map<string, () => unknown>([
  ...versionTable.map(({ version }): [string, () => unknown] => [
    `version-${version}`,
    () => {
      const model = new VisibleModels(buildModel(catalogue)).for({ version, scopes: withIncluded(['admin']) });
      return buildOpenApi(model, { ...descriptionOptions, apiVersion: version });
    },
  ]),
  [
    'external-issuer',
    () => buildOpenApi(buildModel(catalogue), withSettings({ FLAGHOIST_ISSUER_URL: 'https://issuer.example/' })),
  ],
  ['model-file', () => buildOpenApi(buildModel(extendCatalogue(JSON.stringify(modelFile), 'x')), descriptionOptions)],
]);

const modelFile = {
  types: {
    Certificate: {
      deprecated: { since: '2026-01-01', instead: 'Document' },
      attributes: {
        certificateNo: { kind: 'text', maxLength: 20, isCode: true },
        tags: { kind: 'textList', values: ['A', 'B'] },
        details: { kind: 'json' },
        vessel: { kind: 'owner', to: 'Vessel', collection: 'certificates', minItems: 1 },
        port: { kind: 'reference', to: 'Port', deprecated: { since: '2026-01-01' } },
      },
    },
    Client: { attributes: { name: { kind: 'text', default: 'none' } } },
  },
};

test('redocly reports nothing', { timeout: 1_800_000 }, async (context) => {
  const output = await redocly(context, paths());
  // One JSON document for each file, with nothing in between.
  const reports = output
    .trim()
    .split(/(?<=^\})(?=\{)/m)
    .map((text) => JSON.parse(text) as { problems: unknown[] });
  expect(reports).toHaveLength(files.size);
  const problems = reports.flatMap((report) => report.problems);
  expect(problems).toEqual([]);
});

test('spectral reports nothing', { timeout: 1_800_000 }, async (context) => {
  expect(JSON.parse(await spectral(context, paths()))).toEqual([]);
});

test('the linters find a mistake where there is one', { timeout: 1_800_000 }, async (context) => {
  const { info, openapi } = buildOpenApi(buildModel(catalogue), descriptionOptions);
  const { contact: _, license: __, ...spoiltInfo } = info;
  const spoilt = join(folder, 'spoilt.json');
  await writeFile(spoilt, JSON.stringify({ openapi, info: spoiltInfo, paths: {} }));
  expect(await spectral(context, [spoilt])).toContain('info-contact');
  expect(await redocly(context, [spoilt])).toContain('info-license');
});

function paths(): string[] {
  return [...files.keys()].map((name) => join(folder, `${name}.json`));
}

function redocly(context: TestContext, documents: string[]): Promise<string> {
  return lint(context, 'redocly', ['lint', '--extends=recommended', '--format=json', ...documents]);
}

function spectral(context: TestContext, documents: string[]): Promise<string> {
  const ruleset = join(folder, 'spectral.yaml');
  return lint(context, 'spectral', ['lint', '--ruleset', ruleset, '--format', 'json', '--quiet', ...documents]);
}

/** What it prints, whatever its exit code says. */
async function lint(context: TestContext, program: 'redocly' | 'spectral', parameters: string[]): Promise<string> {
  const modules = await withTools(context, [], npmTools);
  // No report of use, and no question whether there is a newer version.
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  const options = { cwd: folder, env, maxBuffer: 2 ** 26 };
  const { stdout } = await run(join(modules, '.bin', program), parameters, options).catch((error) => error);
  return stdout as string;
}

const run = promisify(execFile);
