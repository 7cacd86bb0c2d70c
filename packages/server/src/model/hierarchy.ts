// Computes which hierarchies an object belongs to, as paths through the model. A path goes up the owners, at most once
// back along a followed reference (▲), and from there up the owners again. Pure: event triggers turn paths into SQL.

import { entryOf } from '../entry-of.ts';
import type { Model, ObjectType, ReferenceAttribute } from './object-type.ts';

/** `up`: to the owner, along this reference. `back`: to the objects of `from` whose followed reference points here. */
export type Step =
  | { kind: 'up'; reference: ReferenceAttribute }
  | { kind: 'back'; from: ObjectType; reference: ReferenceAttribute };

export interface RootPath {
  root: ObjectType;
  steps: Step[];
}

/** Every path from an object of `type` to an object whose subscriptions match its changes, nearest first. */
export function rootPaths(model: Model, type: ObjectType): RootPath[] {
  const owners = [{ root: type, steps: [] as Step[] }, ...ownerPaths(type)];
  const overReferences = owners.flatMap((path) => referrers(model, path.root).map((step) => extend(path, step)));
  const fromThere = overReferences.flatMap((path) => [
    path,
    ...ownerPaths(path.root).map((up) => ({ root: up.root, steps: [...path.steps, ...up.steps] })),
  ]);
  return [...owners.slice(1), ...fromThere];
}

/**
 * The type and all types in its hierarchy that make events. A subscription to the type is notified of their changes.
 */
export function typesBelow(model: Model, root: ObjectType): readonly ObjectType[] {
  return entryOf(below, root, () => [
    root,
    ...[...model.types.values()].filter(
      (type) => type !== root && type.makesEvents && rootPaths(model, type).some((path) => path.root === root),
    ),
  ]);
}

/** A type belongs to one model, so the types below it never change. */
const below = new WeakMap<ObjectType, readonly ObjectType[]>();

/** The paths from an object to each of its owners in turn. Ownership is never circular, so the loop ends. */
export function ownerPaths(type: ObjectType): RootPath[] {
  const paths: RootPath[] = [];
  let path: RootPath = { root: type, steps: [] };
  while (path.root.owner) {
    path = extend(path, { kind: 'up', reference: path.root.owner });
    paths.push(path);
  }
  return paths;
}

function extend(path: RootPath, step: Step): RootPath {
  return { root: step.kind === 'up' ? step.reference.target : step.from, steps: [...path.steps, step] };
}

function referrers(model: Model, target: ObjectType): Step[] {
  return [...model.types.values()].flatMap((from) =>
    from.references
      .filter((reference) => reference.isFollowed && reference.target === target)
      .map((reference): Step => ({ kind: 'back', from, reference })),
  );
}
