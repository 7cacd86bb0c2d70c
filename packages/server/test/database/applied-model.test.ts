// Two processes have the same model if everything that a caller or a condition can name is the same.

import { expect, test } from 'vitest';
import { digestOfModel } from '../../src/database/applied-model.ts';
import { buildModel } from '../../src/model/build-model.ts';
import { catalogue } from '../../src/model/catalogue/catalogue.ts';
import { extendCatalogue } from '../../src/model/model-file/read-model-file.ts';

const crew = (collection: string, more: object = {}, description = 'On board.') => ({
  types: {
    Sailor: {
      description,
      attributes: {
        rank: { kind: 'text', maxLength: 40, ...more },
        vessel: { kind: 'owner', to: 'Vessel', collection, isRequired: true },
      },
    },
  },
});
const digest = (file: object) => digestOfModel(buildModel(extendCatalogue(JSON.stringify(file), 'model.json')));

test('a different name, collection or version changes the digest', () => {
  const digests = [
    digestOfModel(buildModel(catalogue)),
    digest(crew('crew')),
    digest(crew('sailors')),
    digest(crew('crew', { since: '6.44' })),
    digest(crew('crew', { maxLength: 41 })),
  ];
  expect(new Set(digests).size).toBe(digests.length);
});

test('a description does not change the digest', () => {
  expect(digest(crew('crew', {}, 'Ashore.'))).toBe(digest(crew('crew')));
});
