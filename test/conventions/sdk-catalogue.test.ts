// The catalogue of the SDK is what the API description says: it is rendered and compared with the file.
// After a change to the model or to the description: npm test -- conventions -u

import { renderCatalogue } from '@flaghoist/cli';
import { expect, test } from 'vitest';
import { buildOpenApi } from '../../packages/server/src/describe/build-openapi.ts';
import type { Schema } from '../../packages/server/src/describe/openapi/json-schema.ts';
import { buildModel } from '../../packages/server/src/model/build-model.ts';
import { catalogue } from '../../packages/server/src/model/catalogue/catalogue.ts';
import {
  elementView,
  minimizedView,
  referenceView,
  type View,
  wholeView,
} from '../../packages/server/src/query/view.ts';
import { descriptionOptions } from '../../packages/server/test/describe/description-options.ts';

const model = buildModel(catalogue);
const document = JSON.parse(JSON.stringify(buildOpenApi(model, descriptionOptions)));

test('packages/sdk/src/catalogue.ts is rendered from the API description', async () => {
  await expect(renderCatalogue(document)).toMatchFileSnapshot('../../packages/sdk/src/catalogue.ts');
});

/** The rules of `packages/sdk/src/objects/default-views.ts`, applied to the schema of the whole object. */
test.each([...model.types.values()])('the SDK knows what answers show of a $name', (type) => {
  const schemas = Object.values(document.components.schemas) as Schema[];
  const whole = schemas.find((schema) => schema['x-flaghoist-type'] === type.name)!;
  const shown = (isHidden: (schema: Schema) => boolean) =>
    Object.keys(whole.properties!).filter((name) => !isHidden(whole.properties![name]!));
  const namesIn = ({ items }: View) => items.map(({ attribute }) => attribute.name);
  expect(shown((schema) => schema['x-flaghoist-shown'] === 'fields')).toEqual(namesIn(wholeView(type)));
  expect(shown((schema) => schema['x-flaghoist-shown'] !== undefined)).toEqual(namesIn(minimizedView(type)));
  expect(namesIn(elementView(type))).toEqual(namesIn(minimizedView(type)));
  const reference = schemas.find((schema) => schema['x-flaghoist-reference'] === type.name);
  if (reference) expect(Object.keys(reference.properties!)).toEqual(namesIn(referenceView(type)));
});
