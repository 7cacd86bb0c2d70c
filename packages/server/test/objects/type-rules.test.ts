// The steps that a type adds to create and change: when they run, what they get, and where their mistakes are reported.

import { beforeEach, expect, test } from 'vitest';
import type { Declarations } from '../../src/model/build-model.ts';
import { withColumns } from '../../src/objects/object-change.ts';
import type { PrecheckRequest, TypeRules } from '../../src/objects/type-rules.ts';
import { useObjects, violationsOf } from './objects-fixture.ts';

const declarations: Declarations = {
  Crate: { attributes: { crateNo: { kind: 'text', isRequired: true }, weight: { kind: 'integer' } } },
  Barrel: { attributes: { barrelNo: { kind: 'text', isRequired: true }, weight: { kind: 'integer' } } },
};

let requests: PrecheckRequest[] = [];
beforeEach(() => {
  requests = [];
});

/** Finds a mistake in every body that says so, and numbers the requests. */
async function beforeTransaction(request: PrecheckRequest) {
  requests.push(request);
  const wrong = request.bodies.filter(({ body }) => body instanceof Map && body.get('weight') !== undefined);
  return {
    prechecked: `request ${requests.length}`,
    violations: wrong.map(({ path }) => ({ path, message: 'is too heavy.' })),
  };
}

const barrelRules: TypeRules<string> = {
  currentColumns: ['barrel_no'],
  beforeTransaction,
  create: ({ bodies, prechecked, check }) => ({
    objects: bodies.map(({ body, path }) => {
      const { change, violations } = check(body, path);
      return { change: withColumns(change, new Map([['barrel_no', prechecked]])), violations };
    }),
  }),
  change: ({ body, current, prechecked, check }) => {
    const { change, violations } = check(body);
    const columns = new Map([['barrel_no', `${current.get('barrel_no')}, ${prechecked}`]]);
    return { change: withColumns(change, columns), violations };
  },
};

const rules = new Map<string, TypeRules>([
  ['Crate', { beforeTransaction }],
  ['Barrel', barrelRules],
]);
const { create, change } = useObjects(declarations, rules);

test('a mistake found before the transaction rejects a change, even one that is written without a lookup', async () => {
  const crate = await create('Crate', { crateNo: 'C-1' });
  expect(await violationsOf(change('Crate', crate.key, { weight: 3 }))).toEqual([': is too heavy.']);
  expect((await change('Crate', crate.key, { crateNo: 'C-2' })).weight).toBeNull();
});

test('in a change it is reported before the other mistakes, in a create after those of the first object', async () => {
  const crate = await create('Crate', { crateNo: 'C-3' });
  expect(await violationsOf(change('Crate', crate.key, { weight: 'x' }))).toEqual([
    ': is too heavy.',
    'weight: must be a whole number, not text.',
  ]);
  expect(await violationsOf(create('Crate', [{ weight: 1 }, { weight: 2 }]))).toEqual([
    '[0].crateNo: is required.',
    '[0]: is too heavy.',
    '[1]: is too heavy.',
    '[1].crateNo: is required.',
  ]);
});

test('the steps get what the step before the transaction has found, and the current object', async () => {
  const barrel = await create('Barrel', { barrelNo: 'B' });
  expect(barrel.barrelNo).toBe('request 1');
  expect((await change('Barrel', barrel.key, {})).barrelNo).toBe('request 1, request 2');
  expect(requests.map(({ key }) => key)).toEqual([undefined, barrel.key]);
});
