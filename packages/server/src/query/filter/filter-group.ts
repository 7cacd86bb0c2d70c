// Groups filters that must all match by the object that they test. Filters of one group that go through the same
// collection share one element group, so they test the same element at every level.

import type { CollectionAttribute, ReferenceAttribute, ScalarAttribute } from '../../model/object-type.ts';
import type { Step } from '../attributes/attribute-path.ts';
import type { Operator } from './operators.ts';

export interface FilterGroup {
  tests: FilterTest[];
  elements: ElementGroup[];
}

/** An element of the collection, reached over `path`, matches the group. */
export interface ElementGroup {
  path: readonly ReferenceAttribute[];
  collection: CollectionAttribute;
  group: FilterGroup;
}

export type FilterTest = ValueTest | EmptinessTest;

/** A filter before it is added to a group. Its steps may still cross collections. */
export type ParsedFilter = (Omit<ValueTest, 'path'> | Omit<EmptinessTest, 'path'>) & { steps: readonly Step[] };

export interface ValueTest {
  kind: 'value';
  path: readonly ReferenceAttribute[];
  attribute: ScalarAttribute;
  operator: Operator;
  /** Checked values, in the form that PostgreSQL takes for the attribute's kind. */
  values: string[];
}

interface EmptinessTest {
  kind: 'emptiness';
  path: readonly ReferenceAttribute[];
  collection: CollectionAttribute;
  isEmpty: boolean;
}

export function addFilter(group: FilterGroup, { steps, ...test }: ParsedFilter): void {
  let current = group;
  let path: ReferenceAttribute[] = [];
  for (const step of steps) {
    if (step.kind === 'reference') {
      path.push(step);
    } else {
      current = elementGroup(current, path, step);
      path = [];
    }
  }
  current.tests.push({ ...test, path });
}

export function asksCollections({ elements, tests }: FilterGroup): boolean {
  return elements.length > 0 || tests.some((test) => test.kind === 'emptiness');
}

function elementGroup(group: FilterGroup, path: ReferenceAttribute[], collection: CollectionAttribute): FilterGroup {
  const known = group.elements.find((element) => element.collection === collection && isSamePath(element.path, path));
  if (known) return known.group;
  const element: ElementGroup = { path, collection, group: { tests: [], elements: [] } };
  group.elements.push(element);
  return element.group;
}

function isSamePath(one: readonly ReferenceAttribute[], other: readonly ReferenceAttribute[]): boolean {
  return one.length === other.length && one.every((reference, index) => reference === other[index]);
}
