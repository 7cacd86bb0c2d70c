// The reference pages are the tables in the code: each page is rendered from its table and compared with the file.
// After a change to a table: npm test -- -u

import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { tokenErrorTable } from '../../packages/server/src/auth/token-endpoint/token-error.ts';
import type { SettingRow } from '../../packages/server/src/config/setting-row.ts';
import { settingsTable } from '../../packages/server/src/config/settings-table.ts';
import { availabilityOf, explainAttribute } from '../../packages/server/src/describe/openapi/describe-attribute.ts';
import { errorTable } from '../../packages/server/src/errors.ts';
import { newestVersion, oldestVersion, versionTable } from '../../packages/server/src/model/api-versions.ts';
import { baseAttributeNames, buildModel } from '../../packages/server/src/model/build-model.ts';
import { catalogue } from '../../packages/server/src/model/catalogue/catalogue.ts';
import { serviceOperations } from '../../packages/server/src/model/catalogue/service-operations.ts';
import { mustBeSent } from '../../packages/server/src/model/must-be-sent.ts';
import type { Action, Attribute, ObjectType } from '../../packages/server/src/model/object-type.ts';
import { scopeTable } from '../../packages/server/src/model/scopes.ts';
import { metricsTable } from '../../packages/server/src/observe/metrics-table.ts';

test('docs/reference/settings.md lists every setting as the code has it', async () => {
  const rows = Object.values(settingsTable).map((row) => {
    const { variable, fallback, sentence, isSecret } = row as SettingRow<unknown>;
    return `| \`${variable}\`${isSecret ? ' ⚿' : ''} | ${fallback ? `\`${fallback}\`` : 'none'} | ${sentence} |`;
  });
  await expect(
    page('Settings', settingsIntroduction, '| Variable | Default | Meaning |\n|---|---|---|', rows),
  ).toMatchFileSnapshot('../../docs/reference/settings.md');
});

test('docs/reference/errors.md lists every error as the code has it, and those of the token endpoint', async () => {
  const head = '| Status | Name | Meaning |\n|---|---|---|';
  const rowsOf = (table: Record<string, { status: number; meaning: string }>) =>
    Object.entries(table)
      .map(([code, { status, meaning }]) => `| ${status} | \`${code}\` | ${meaning} |`)
      .sort();
  const ofTokens = section('Token endpoint', tokenErrorsIntroduction, head, rowsOf(tokenErrorTable));
  await expect(`${page('Errors', errorsIntroduction, head, rowsOf(errorTable))}\n${ofTokens}`).toMatchFileSnapshot(
    '../../docs/reference/errors.md',
  );
});

test('docs/reference/versions.md lists every version as the code has it', async () => {
  const rows = versionTable.map(({ version, addition }) => `| ${version} | ${addition} |`);
  await expect(page('Versions', versionsIntroduction, '| Version | Additions |\n|---|---|', rows)).toMatchFileSnapshot(
    '../../docs/reference/versions.md',
  );
});

test('docs/reference/scopes.md lists every scope as the code has it', async () => {
  const rows = Object.entries(scopeTable).map(([scope, { includes, meaning }]) => {
    return `| \`${scope}\` | ${includes.map((one) => `\`${one}\``).join(', ')} | ${meaning} |`;
  });
  await expect(
    page('Scopes', scopesIntroduction, '| Scope | Includes | Meaning |\n|---|---|---|', rows),
  ).toMatchFileSnapshot('../../docs/reference/scopes.md');
});

test('docs/reference/metrics.md lists every metric as the code has it', async () => {
  const rows = metricsTable.map(({ name, type, labels = [], help }) => {
    return `| \`${name}\` | ${type} | ${labels.map((label) => `\`${label}\``).join(', ')} | ${help} |`;
  });
  await expect(
    page('Metrics', metricsIntroduction, '| Metric | Type | Labels | Meaning |\n|---|---|---|---|', rows),
  ).toMatchFileSnapshot('../../docs/reference/metrics.md');
});

test('the how-to for operators alerts only on metrics that exist', async () => {
  const text = await readFile(new URL('../../docs/how-to/run-in-production.md', import.meta.url), 'utf8');
  const named = [...text.matchAll(/`((?:flaghoist|process)_\w+_(?:total|seconds|bytes))/g)].map(([, name]) => name!);
  const names = metricsTable.map(({ name }) => name);
  expect(named.length).toBeGreaterThan(0);
  expect(named.filter((name) => !names.includes(name))).toEqual([]);
});

test('docs/reference/objects.md lists every type and attribute of the catalogue as the code has it', async () => {
  const sections = [...buildModel(catalogue).types.values()].map(describeType);
  await expect(`# Objects\n\n${objectsIntroduction}\n\n${sections.join('\n')}`).toMatchFileSnapshot(
    '../../docs/reference/objects.md',
  );
});

test('docs/reference/operations.md lists every operation that belongs to no type as the code has it', async () => {
  const rows = serviceOperations.map((operation) => {
    const { method, path, scope } = operation;
    return `| \`${method} ${path}\` | \`${scope}\` | ${callOf(operation)} |`;
  });
  const head = '| Operation | Scope | Takes | Answers | Meaning |\n|---|---|---|---|---|';
  await expect(page('Operations', operationsIntroduction, head, rows)).toMatchFileSnapshot(
    '../../docs/reference/operations.md',
  );
});

function page(title: string, introduction: string, head: string, rows: string[]): string {
  return section(title, introduction, head, rows).slice(1);
}

function section(title: string, introduction: string, head: string, rows: string[]): string {
  return `## ${title}\n\n${introduction}\n\n${head}\n${rows.join('\n')}\n`;
}

const settingsIntroduction = `Every setting is an environment variable with a default, so the service runs without any
setting. An empty value counts as not set, unless the setting says otherwise. \`flaghoist check-config\` reports all
mistakes at once, without starting the service.

A secret can also come from a file: \`DATABASE_URL_FILE\` names a file with the value of \`DATABASE_URL\`, and so on, for
the settings marked ⚿. A line break at its end is ignored.`;

const errorsIntroduction = `Every error under \`/ws/rest\` has the fields \`statusCode\`, \`statusText\`, \`message\`,
\`date\`, \`statusFamily\` (\`CLIENT_ERROR\` or \`SERVER_ERROR\`), \`method\` and \`uri\`. If a body
has mistakes, \`violations\` lists each with its \`path\` and \`message\`.

The header \`flaghoist-error\` of an error has its name in this table; the code and the log use the same names. The
header \`flaghoist-request-id\`, on every answer under \`/ws/rest\`, is the \`requestId\` in the log. Only requests that
are rejected before they are read have none: those that are no valid HTTP, and those during a start.`;

const tokenErrorsIntroduction = `Errors of \`POST /oauth/token\` have the body of RFC 6749: \`error\`, which is one of
these names, and \`error_description\`. HTTP errors (405, 413, 415) are reported as \`invalid_request\` with that
status.`;

const versionsIntroduction = `The request header \`API-Version\` selects the API version. Without the header, the
\`apiVersion\` of the user applies. If the user has none, the newest version applies. Every version from
${oldestVersion} to ${newestVersion} is valid. A version between two rows equals the row above it. Versions are compared
part by part, so 3.16 is after 3.9. Responses omit what a later version added, and a request that sends it is rejected
with 400. \`/openapi.json?version=${oldestVersion}\` and \`/docs?version=${oldestVersion}\` describe one version. All
versions stay supported: nothing is removed or changes its meaning without \`Deprecation\` and \`Sunset\` headers a year
ahead.`;

const scopesIntroduction = `Scopes define what a client may do. A token has all scopes of its client, or those that the
token request selected. A request that lacks a scope is rejected with a 403 that names the scope. \`/openapi.json\`
lists the required scope of every operation.`;

const metricsIntroduction = `\`GET /metrics\` returns the Prometheus text format. If \`FLAGHOIST_METRICS_TOKEN\` is set,
the request needs that token. A counter has no line before its first count. The queues of the backlog, in processing
order:

- \`events\`: changes that are not matched yet.
- \`shaping\`: matches whose script or stylesheet has not run yet.
- \`ready\`: notifications that are ready or being sent.
- \`blocked\`: notifications that wait for an earlier one about the same object.
- \`retry\`: notifications that wait for a retry.
- \`parked\`: notifications of inactive users.
- \`stream\`: notifications of streams that are not acknowledged.`;

const objectsIntroduction = `The built-in object types. Every object also has \`key\`, \`self\`, \`createdDate\`,
\`modifiedDate\`, \`createdById\`, \`changedById\` and \`externalObjectKey\`, and \`remarks\` if \`fields\`
selects them. An operator can add types and attributes in a [model file](../how-to/extend-the-model.md).`;

const operationsIntroduction = `The operations under \`/ws/rest\` that belong to no object type. They exist in every API
version. \`/openapi.json\` and \`/docs\` describe their parameters and answers.`;

function wrap(prose: string): string {
  return prose.replace(/(.{1,120})(?:\s+|$)/g, '$1\n').trimEnd();
}

function describeType(type: ObjectType): string {
  const own = [...type.attributes.values(), ...type.writeOnly.values(), ...type.shownOnce].filter(
    ({ name, kind }) => !baseNames.has(name) && !(name === 'remarks' && kind === 'collection'),
  );
  const isWritten = type.access.write !== 'nobody';
  const rows = own.map(
    (attribute) =>
      `| \`${attribute.name}\` | ${describeKind(attribute)} | ${isWritten && mustBeSent(attribute) ? 'yes' : ''} ` +
      `| ${explain(attribute)} |`,
  );
  return (
    `## ${type.name}\n\n${wrap(type.description)}\n\n| Attribute | Type | Mandatory | ` +
    `Meaning |\n|---|---|---|---|\n${rows.join('\n')}\n${describeActions(type)}`
  );
}

function describeActions(type: ObjectType): string {
  if (type.actions.size === 0) return '';
  const rows = [...type.actions.values()].map(
    (action) => `| ${placesOf(type, action).join('<br>')} | ${callOf(action)} |`,
  );
  return `\n| Action | Takes | Answers | Meaning |\n|---|---|---|---|\n${rows.join('\n')}\n`;
}

/** The cells with what an action takes, answers and does. */
function callOf({ takes, answers, description, since }: Action): string {
  const names = (members: readonly Attribute[]) => members.map(({ name }) => `\`${name}\``).join(', ');
  const meaning = since === undefined ? description : `${description} Since ${since}.`;
  return [names(takes), names(answers), meaning.replaceAll('|', '\\|')].join(' | ');
}

function placesOf({ name: type }: ObjectType, { name, method, on }: Action): string[] {
  return [
    ...(on === 'type' ? [] : [`\`${method} ${type}/{key}/${name}\``]),
    ...(on === 'object' ? [] : [`\`${method} ${type}/${name}\``]),
  ];
}

function explain(attribute: Attribute): string {
  const words = [explainAttribute(attribute), ...availabilityOf(attribute)].filter((text) => text !== '').join(' ');
  // A bar would end the cell, also inside of code.
  return words.replaceAll('|', '\\|');
}

const baseNames = new Set(baseAttributeNames);

function describeKind(attribute: Attribute): string {
  switch (attribute.kind) {
    case 'reference':
      return (
        `${attribute.isOwner ? 'owner' : 'reference'} → ` +
        `${attribute.target.name}${attribute.isFollowed ? ' ▲' : ''}`
      );
    case 'collection':
      return `sub-objects → ${attribute.of.name}`;
    case 'code':
      return attribute.values.join(', ');
    case 'text':
      return `text${attribute.maxLength ? ` (${attribute.maxLength})` : ''}`;
    case 'dateTime':
      return 'date-time';
    case 'binary':
      return 'Base64';
    case 'textList':
      return attribute.values.length > 0 ? `list of ${attribute.values.join(', ')}` : 'list of texts';
    case 'json':
      return 'JSON';
    default:
      return attribute.kind;
  }
}
