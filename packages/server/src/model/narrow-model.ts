// The model as a caller sees it. It lacks everything newer than the caller's API version, and shows only code and name
// of types that the caller's scopes cannot read. All request handling uses such a model, so no other code checks what
// may be shown, filtered or sent.

import { entryOf } from '../entry-of.ts';
import { compareVersions, versionStep } from './api-versions.ts';
import { setAttributes, type TypeBuilder } from './build-model.ts';
import type { Attribute, Model, ObjectType, ReferenceAttribute } from './object-type.ts';
import { scopes as allScopes, type Scope, scopesNeeded } from './scopes.ts';

export interface Visibility {
  /** A known API version. */
  version: string;
  /** As `withIncluded` returns them. */
  scopes: ReadonlySet<Scope>;
}

/** Narrows the model once for each visibility that differs: there are at most a hundred. */
export class VisibleModels {
  readonly #whole: Model;
  readonly #models = new Map<string, Model>();

  constructor(whole: Model) {
    this.#whole = whole;
  }

  /** Returns the same object for equal visibility. */
  for({ version, scopes }: Visibility): Model {
    const step = versionStep(version);
    const name = [step, ...allScopes.filter((scope) => scopes.has(scope))].join(' ');
    return entryOf(this.#models, name, () => narrowModel(this.#whole, { version: step, scopes }));
  }
}

export function narrowModel(whole: Model, visibility: Visibility): Model {
  const types = new Map<string, TypeBuilder>();
  for (const type of whole.types.values()) types.set(type.name, startType(type, visibility));
  for (const type of whole.types.values()) fill(types.get(type.name)!, type, types, visibility);
  return { types };
}

function startType(type: ObjectType, { version }: Visibility): TypeBuilder {
  const newer = [...type.attributes.values()].filter(({ since }) => isLater(since, version));
  return {
    ...type,
    newer: new Map(newer.map(({ name, since }) => [name, since!])),
    actions: new Map([...type.actions].filter(([, { since }]) => !isLater(since, version))),
  };
}

function fill(builder: TypeBuilder, type: ObjectType, types: Map<string, TypeBuilder>, visibility: Visibility): void {
  const attributes = [...type.attributes.values()]
    .filter((attribute) => isVisible(type, attribute, visibility))
    .map((attribute) => relink(attribute, types));
  const named = new Map(attributes.map((attribute) => [attribute.name, attribute]));
  const kept = <T extends Attribute>(attribute: T | undefined) => attribute && (named.get(attribute.name) as T);
  setAttributes(builder, attributes);
  builder.shownBy = type.shownBy.flatMap((attribute) => kept(attribute) ?? []);
  builder.code = kept(type.code);
  builder.owner = kept(type.owner);
  builder.sequence = kept(type.sequence);
  // Kept even if the caller cannot see it, because the owning user limits what may be done with an object.
  builder.ownedBy = kept(type.ownedBy) ?? (type.ownedBy && (relink(type.ownedBy, types) as ReferenceAttribute));
}

function isVisible(type: ObjectType, attribute: Attribute, { version, scopes }: Visibility): boolean {
  if (isLater(attribute.since, version)) return false;
  if (scopesNeeded(type.access.read).every((scope) => scopes.has(scope))) return true;
  return (
    attribute.name === 'key' || attribute.name === 'self' || type.shownBy.some(({ name }) => name === attribute.name)
  );
}

function relink(attribute: Attribute, types: Map<string, TypeBuilder>): Attribute {
  if (attribute.kind === 'reference') return { ...attribute, target: types.get(attribute.target.name)! };
  if (attribute.kind === 'collection') return { ...attribute, of: types.get(attribute.of.name)! };
  return attribute;
}

function isLater(since: string | undefined, version: string): boolean {
  return since !== undefined && compareVersions(since, version) > 0;
}
