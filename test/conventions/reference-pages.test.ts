// The reference pages are the tables in the code: each page is rendered from its table and compared with the file.
// After a change to a table: npm test -- -u

import { expect, test } from 'vitest';
import { type SettingRow, settingsTable } from '../../src/config/settings-table.ts';
import { errorTable } from '../../src/errors.ts';
import { baseAttributeNames, buildModel } from '../../src/model/build-model.ts';
import { catalogue } from '../../src/model/catalogue/catalogue.ts';
import type { Attribute, ObjectType } from '../../src/model/object-type.ts';

test('docs/reference/settings.md lists every setting as the code has it', async () => {
  const rows = Object.values(settingsTable).map((row) => {
    const { variable, fallback, sentence } = row as SettingRow<unknown>;
    return `| \`${variable}\` | ${fallback ? `\`${fallback}\`` : 'none'} | ${sentence} |`;
  });
  await expect(
    page('Settings', settingsIntroduction, '| Variable | Default | Meaning |\n|---|---|---|', rows),
  ).toMatchFileSnapshot('../../docs/reference/settings.md');
});

test('docs/reference/errors.md lists every error as the code has it', async () => {
  const rows = Object.entries(errorTable).map(
    ([code, { status, meaning }]) => `| ${status} | \`${code}\` | ${meaning} |`,
  );
  await expect(
    page('Errors', errorsIntroduction, '| Status | Name | Meaning |\n|---|---|---|', rows.sort()),
  ).toMatchFileSnapshot('../../docs/reference/errors.md');
});

test('docs/reference/objects.md lists every type and attribute of the catalogue as the code has it', async () => {
  const sections = [...buildModel(catalogue).types.values()].map(describeType);
  await expect(`# Objects\n\n${objectsIntroduction}\n\n${sections.join('\n')}`).toMatchFileSnapshot(
    '../../docs/reference/objects.md',
  );
});

function page(title: string, introduction: string, head: string, rows: string[]): string {
  return `# ${title}\n\n${introduction}\n\n${head}\n${rows.join('\n')}\n`;
}

const settingsIntroduction = `Every setting is an environment variable with a default that lets the service run with nothing set. An empty value counts as
not set. \`flaghoist check-config\` finds mistakes without starting anything, and tells all of them at once.`;

const errorsIntroduction = `Every error under \`/ws/rest\` has the fields \`statusCode\`, \`statusText\`, \`message\`, \`date\`, \`statusFamily\`
(\`CLIENT_ERROR\` or \`SERVER_ERROR\`), \`method\` and \`uri\`; where a body has mistakes, \`violations\` lists each of them with its \`path\`
and \`message\`. The names are those of the code and of the log.`;

const objectsIntroduction = `The built-in object types. Every object also has \`key\`, \`self\`, \`createdDate\`, \`modifiedDate\`, \`createdById\`, \`changedById\`
and \`externalObjectKey\`, and \`remarks\` where \`fields\` asks for them. An operator adds types and attributes in a [model file](../how-to/extend-the-model.md).`;

function describeType(type: ObjectType): string {
  const own = [...type.attributes.values()].filter(
    ({ name, kind }) => !baseNames.has(name) && !(name === 'remarks' && kind === 'collection'),
  );
  const rows = own.map(
    (attribute) =>
      `| \`${attribute.name}\` | ${describeKind(attribute)} | ${attribute.isRequired ? 'yes' : ''} | ${attribute.description} |`,
  );
  return `## ${type.name}\n\n${type.description}\n\n| Attribute | Type | Mandatory | Meaning |\n|---|---|---|---|\n${rows.join('\n')}\n`;
}

const baseNames = new Set(baseAttributeNames);

function describeKind(attribute: Attribute): string {
  switch (attribute.kind) {
    case 'reference':
      return `${attribute.isOwner ? 'owner' : 'reference'} → ${attribute.target.name}${attribute.isFollowed ? ' ▲' : ''}`;
    case 'collection':
      return `sub-objects → ${attribute.of.name}`;
    case 'code':
      return attribute.values.join(', ');
    case 'text':
      return `text${attribute.maxLength ? ` (${attribute.maxLength})` : ''}${attribute.isUnique ? ', unique' : ''}`;
    case 'dateTime':
      return 'date-time';
    case 'binary':
      return 'Base64';
    default:
      return attribute.kind;
  }
}
