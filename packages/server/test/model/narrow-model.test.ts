// The model as callers see it.

import { expect, test } from 'vitest';
import { buildModel } from '../../src/model/build-model.ts';
import { catalogue } from '../../src/model/catalogue/catalogue.ts';
import { narrowModel, VisibleModels } from '../../src/model/narrow-model.ts';
import { withIncluded } from '../../src/model/scopes.ts';

/** Such a type is rejected in a model file, but the limits on its objects must hold nevertheless. */
const model = buildModel({
  ...catalogue,
  Notice: {
    makesEvents: false,
    ownedBy: 'user',
    access: { read: 'admin', write: 'write' },
    attributes: { title: { kind: 'text' }, user: { kind: 'reference', to: 'ApiUser', isRequired: true } },
  },
});

test('the owner of an object also limits callers who cannot see that attribute', () => {
  const seen = narrowModel(model, { version: '6.44', scopes: withIncluded(['write']) }).types.get('Notice')!;
  expect([...seen.attributes.keys()]).toEqual(['key', 'self']);
  expect(seen.ownedBy?.name).toBe('user');
});

test('where the owner can be seen, it is the attribute of the type itself', () => {
  const seen = narrowModel(model, { version: '6.44', scopes: withIncluded(['admin']) }).types.get('Notice')!;
  expect(seen.ownedBy === seen.attributes.get('user')).toBe(true);
});

test('callers with equal visibility get the same model', () => {
  const seenModels = new VisibleModels(model);
  const [one, other] = [new Set(['read', 'write'] as const), new Set(['write', 'read'] as const)];
  const first = seenModels.for({ version: '4.7', scopes: one });
  expect(seenModels.for({ version: '3.16', scopes: other }) === first).toBe(true);
  expect(seenModels.for({ version: '5.23', scopes: one }) === first).toBe(false);
});
