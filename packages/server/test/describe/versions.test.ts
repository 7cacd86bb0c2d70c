// One description per API version: each is valid, says which version it is, has what that version has, and is what the
// service does for callers of that version.

import { describe, expect, test } from 'vitest';
import { compareVersions, newestVersion, oldestVersion, versionTable } from '../../src/model/api-versions.ts';
import { useTestService } from '../support/test-service.ts';
import { type Document, operationsOf } from './api-document.ts';
import { createAnswerChecker } from './check-answer.ts';
import { expectValid, useVersionedModel } from './versioned-model.ts';

const { modelFile, additions } = useVersionedModel();
const service = useTestService({ FLAGHOIST_MODEL_FILE: modelFile });
const versions = versionTable.map(({ version }) => version);

async function describeVersion(version: string): Promise<Document> {
  const { status, body } = await service.get(`/openapi.json?version=${version}`);
  expect(status).toBe(200);
  return body as Document;
}

/** Of those in the model file. */
function shownIn(document: Document, schema: string): string[] {
  return Object.keys(document.components.schemas[schema]?.properties ?? {}).filter((name) => name in additions);
}

function presentIn(version: string): string[] {
  return Object.entries(additions)
    .filter(([, since]) => compareVersions(since, version) <= 0)
    .map(([name]) => name);
}

describe.each(versions)('the description of %s', (version) => {
  test('says which version it describes', async () => {
    const document = await describeVersion(version);
    expect(document.info['x-api-version']).toBe(version);
    expect(document.info.description).toContain(`This document describes API version ${version}`);
  });

  test('has the attributes up to that version, and no newer ones, in responses and requests', async () => {
    const document = await describeVersion(version);
    for (const schema of ['Voyage', 'VoyageCreate', 'VoyageChange'])
      expect(shownIn(document, schema), schema).toEqual(presentIn(version));
    const { text } = await service.get(`/docs?version=${version}`);
    for (const name of Object.keys(additions))
      expect(text.includes(`<code>${name}</code>`), name).toBe(presentIn(version).includes(name));
  });

  test('matches the behaviour of the service for callers of that version', async () => {
    const document = await describeVersion(version);
    const checker = createAnswerChecker(document);
    const operations = operationsOf(document);
    const [create, read] = ['createVoyage', 'getVoyage'].map(
      (id) => operations.find((one) => one.node.operationId === id)!,
    );
    const headers = { 'api-version': version };
    const created = await service.post('/ws/rest/Voyage', { comments: 'Versions' }, headers);
    const seen = await service.get(`/ws/rest/Voyage/${created.body.key}`, headers);
    for (const [operation, { status, headers: given, text }] of [
      [create!, created],
      [read!, seen],
    ] as const)
      expect(checker.check(operation, { status, headers: Object.fromEntries(given), text }), text).toBeUndefined();
    expect(Object.keys(seen.body).filter((name) => name in additions)).toEqual(presentIn(version));
    for (const [name, since] of Object.entries(additions).filter(([name]) => !presentIn(version).includes(name))) {
      const answer = await service.post('/ws/rest/Voyage', { [name]: null }, headers);
      expect([answer.status, answer.body.violations?.[0]?.message], name).toEqual([
        400,
        expect.stringContaining(since),
      ]);
    }
  });
});

// Each version: versions.long.test.ts. The newest, without these attributes: document.test.ts.
test('the description of the oldest version passes a validator of OpenAPI 3.1', async () => {
  await expectValid(await describeVersion(oldestVersion));
});

test('the description of an attribute states its version and edition', async () => {
  const { Voyage } = (await describeVersion(newestVersion)).components.schemas;
  expect(Voyage?.properties?.fleetRate?.description).toBe('What a day costs. Since 5.23.');
  expect(Voyage?.properties?.fleetSheet?.description).toBe('Fleet sheet. Since 5.24. Edition ENTERPRISE only.');
  const { text } = await service.get('/docs');
  const row = text.split('<tr><td><code>fleetSheet</code>')[1]?.split('</tr>')[0];
  expect(row).toContain('<span class="mark badge">since 5.24</span> <span class="mark badge">ENTERPRISE</span>');
  expect(row).not.toContain('Since 5.24.');
});

test.each(['/openapi.json', '/docs'])(
  '%s without a version is the newest, and a version between two rows equals the row above',
  async (path) => {
    const etagOf = async (query: string) => (await service.get(`${path}${query}`)).headers.get('etag');
    expect(await etagOf('')).toBe(await etagOf(`?version=${newestVersion}`));
    expect(await etagOf('?version=4.7')).toBe(await etagOf('?version=3.16'));
    expect(new Set(await Promise.all(versions.map((version) => etagOf(`?version=${version}`)))).size).toBe(
      versions.length,
    );
  },
);

test.each(['/openapi.json', '/docs'])(
  '%s returns 304 if the ETag is of that version, and 200 if it is of another',
  async (path) => {
    const { headers } = await service.get(`${path}?version=3.9`);
    const known = { 'if-none-match': headers.get('etag') ?? '' };
    expect((await service.get(`${path}?version=3.9`, known)).status).toBe(304);
    expect((await service.get(`${path}?version=5.23`, known)).status).toBe(200);
  },
);

describe.each(['/openapi.json', '/docs'])('a mistake in the query of %s', (path) => {
  test.each(['3.2', '6.45', '7.0', '5', 'x', '', '5.23.1', '-5.23', '5.23%20'])(
    'version %j is a 400 that names the oldest and the newest',
    async (version) => {
      const { status, body } = await service.get(`${path}?version=${version}`);
      expect(status).toBe(400);
      expect(body.message).toBe(
        `There is no API version ${JSON.stringify(decodeURIComponent(version))}; supported are versions 3.3 to 6.44.`,
      );
    },
  );

  test.each(['verson=5.23', 'version=5.23&format=yaml', 'version=5.23&version=5.23'])('%s is a 400', async (query) => {
    const { status, body } = await service.get(`${path}?${query}`);
    expect([status, body.statusFamily]).toEqual([400, 'CLIENT_ERROR']);
    expect(body.message).toMatch(/query parameter .*version/);
  });
});

test('the page links to every version, marks its own, and links to its description', async () => {
  const { text } = await service.get('/docs?version=5.23');
  const list = text.split('<ul class="versions">')[1]?.split('</ul>')[0] ?? '';
  const links = [...list.matchAll(/<a href="([^"]+)"( aria-current="page")?>([^<]+)<\/a>/g)];
  expect(links.map(([, , , version]) => version)).toEqual(versions);
  expect(links.filter(([, , current]) => current).map(([, , , version]) => version)).toEqual(['5.23']);
  for (const [, link, , version] of links) {
    const answer = await service.get(new URL(link!, `${service.url()}/docs`).href.slice(service.url().length));
    expect(answer.text).toContain(`API version ${version} ·`);
  }
  expect(text).toContain('href="openapi.json?version=5.23"');
});
