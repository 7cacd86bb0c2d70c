// The model as a caller sees it: without what came with a later API version than the caller's, and with no more than code
// and name of the types that the caller's scopes do not let them read. Everything that answers a request works on such a model, so nothing
// has to ask again what may be shown, filtered or sent.

import { LRUCache } from 'lru-cache';
import { compareVersions, versionStep } from './api-versions.ts';
import type { Action, Attribute, Model, ObjectType, ReferenceAttribute, ScalarAttribute } from './object-type.ts';
import { scopes as allScopes, type Scope, scopesNeeded } from './scopes.ts';

export interface Seeing {
  /** A known version. */
  version: string;
  /** As `withIncluded` gives them. */
  scopes: ReadonlySet<Scope>;
}

export class SeenModels {
  readonly #whole: Model;
  /** By version and scopes, as they are asked for; most callers ask for the same few. */
  readonly #seen = new LRUCache<string, Model>({ max: 1_000 });
  readonly #bySteps = new Map<string, Model>();

  constructor(whole: Model) {
    this.#whole = whole;
  }

  /** The same object for all who see the same. */
  for({ version, scopes }: Seeing): Model {
    const name = `${version} ${namesOf(scopes)}`;
    let model = this.#seen.get(name);
    if (!model) {
      model = this.#atStep({ version: versionStep(version), scopes });
      this.#seen.set(name, model);
    }
    return model;
  }

  #atStep(seeing: Seeing): Model {
    const name = `${seeing.version} ${namesOf(seeing.scopes)}`;
    const model = this.#bySteps.get(name) ?? narrowModel(this.#whole, seeing);
    this.#bySteps.set(name, model);
    return model;
  }
}

/** In the order of the table, so that equal sets have equal names. */
function namesOf(scopes: ReadonlySet<Scope>): string {
  return allScopes.filter((scope) => scopes.has(scope)).join(' ');
}

export function narrowModel(whole: Model, seeing: Seeing): Model {
  const types = new Map<string, Draft>();
  for (const type of whole.types.values()) types.set(type.name, draftOf(type, seeing));
  for (const type of whole.types.values()) fill(types.get(type.name)!, type, types, seeing);
  return { types };
}

/** Types refer to each other, so each is an empty shell first and is filled in afterwards. */
type Draft = { -readonly [Name in keyof ObjectType]: ObjectType[Name] };

function draftOf(type: ObjectType, { version }: Seeing): Draft {
  const newer = [...type.attributes.values()].filter(({ since }) => isLater(since, version));
  return {
    ...type,
    newer: new Map(newer.map(({ name, since }) => [name, since!])),
    actions: new Map([...type.actions].filter(([, { since }]: [string, Action]) => !isLater(since, version))),
  };
}

function fill(draft: Draft, type: ObjectType, types: Map<string, Draft>, seeing: Seeing): void {
  const attributes = [...type.attributes.values()]
    .filter((attribute) => isSeen(type, attribute, seeing))
    .map((attribute) => relink(attribute, types));
  const named = new Map(attributes.map((attribute) => [attribute.name, attribute]));
  const kept = <T extends Attribute>(attribute: T | undefined) => attribute && (named.get(attribute.name) as T);
  draft.attributes = named;
  draft.scalars = attributes.filter(isScalar);
  draft.references = attributes.filter((attribute) => attribute.kind === 'reference');
  draft.collections = attributes.filter((attribute) => attribute.kind === 'collection');
  draft.shownBy = type.shownBy.filter(({ name }) => named.has(name));
  draft.code = kept(type.code);
  draft.owner = kept(type.owner);
  draft.sequence = kept(type.sequence);
  // Also where the caller cannot see it: whose an object is limits what may be done with it.
  draft.ownedBy = kept(type.ownedBy) ?? (type.ownedBy && (relink(type.ownedBy, types) as ReferenceAttribute));
}

function isSeen(type: ObjectType, attribute: Attribute, { version, scopes }: Seeing): boolean {
  if (isLater(attribute.since, version)) return false;
  if (scopesNeeded(type.access.read).every((scope) => scopes.has(scope))) return true;
  return (
    attribute.name === 'key' || attribute.name === 'self' || type.shownBy.some(({ name }) => name === attribute.name)
  );
}

function relink(attribute: Attribute, types: Map<string, Draft>): Attribute {
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
