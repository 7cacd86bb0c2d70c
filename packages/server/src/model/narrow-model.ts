// The model as a caller sees it. It lacks everything newer than the caller's API version, and shows only code and name
// of types that the caller's scopes cannot read. All request handling uses such a model, so no other code checks what
// may be shown, filtered or sent.

import { LRUCache } from 'lru-cache';
import { compareVersions, versionStep } from './api-versions.ts';
import type { Action, Attribute, Model, ObjectType, ReferenceAttribute, ScalarAttribute } from './object-type.ts';
import { scopes as allScopes, type Scope, scopesNeeded } from './scopes.ts';

export interface Visibility {
  /** A known API version. */
  version: string;
  /** As `withIncluded` returns them. */
  scopes: ReadonlySet<Scope>;
}

export class VisibleModels {
  readonly #whole: Model;
  /** By version and scopes, as requested. Most callers share a few of them. */
  readonly #seen = new LRUCache<string, Model>({ max: 1_000 });
  readonly #bySteps = new Map<string, Model>();

  constructor(whole: Model) {
    this.#whole = whole;
  }

  /** Returns the same object for equal visibility. */
  for({ version, scopes }: Visibility): Model {
    const name = `${version} ${namesOf(scopes)}`;
    let model = this.#seen.get(name);
    if (!model) {
      model = this.#atStep({ version: versionStep(version), scopes });
      this.#seen.set(name, model);
    }
    return model;
  }

  #atStep(visibility: Visibility): Model {
    const name = `${visibility.version} ${namesOf(visibility.scopes)}`;
    const model = this.#bySteps.get(name) ?? narrowModel(this.#whole, visibility);
    this.#bySteps.set(name, model);
    return model;
  }
}

/** In the order of the table, so that equal sets get equal names. */
function namesOf(scopes: ReadonlySet<Scope>): string {
  return allScopes.filter((scope) => scopes.has(scope)).join(' ');
}

export function narrowModel(whole: Model, visibility: Visibility): Model {
  const types = new Map<string, TypeBuilder>();
  for (const type of whole.types.values()) types.set(type.name, startType(type, visibility));
  for (const type of whole.types.values()) fill(types.get(type.name)!, type, types, visibility);
  return { types };
}

/** A type being built. Types refer to each other, so each is created empty and filled in afterwards. */
type TypeBuilder = { -readonly [Name in keyof ObjectType]: ObjectType[Name] };

function startType(type: ObjectType, { version }: Visibility): TypeBuilder {
  const newer = [...type.attributes.values()].filter(({ since }) => isLater(since, version));
  return {
    ...type,
    newer: new Map(newer.map(({ name, since }) => [name, since!])),
    actions: new Map([...type.actions].filter(([, { since }]: [string, Action]) => !isLater(since, version))),
  };
}

function fill(builder: TypeBuilder, type: ObjectType, types: Map<string, TypeBuilder>, visibility: Visibility): void {
  const attributes = [...type.attributes.values()]
    .filter((attribute) => isVisible(type, attribute, visibility))
    .map((attribute) => relink(attribute, types));
  const named = new Map(attributes.map((attribute) => [attribute.name, attribute]));
  const kept = <T extends Attribute>(attribute: T | undefined) => attribute && (named.get(attribute.name) as T);
  builder.attributes = named;
  builder.scalars = attributes.filter(isScalar);
  builder.references = attributes.filter((attribute) => attribute.kind === 'reference');
  builder.collections = attributes.filter((attribute) => attribute.kind === 'collection');
  builder.shownBy = type.shownBy.filter(({ name }) => named.has(name));
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

function isScalar(attribute: Attribute): attribute is ScalarAttribute {
  return attribute.kind !== 'reference' && attribute.kind !== 'collection' && attribute.kind !== 'self';
}

function isLater(since: string | undefined, version: string): boolean {
  return since !== undefined && compareVersions(since, version) > 0;
}
