// Checks getters, on an object of one type, or on the changed object, which has one of several types. A getter that
// only some of these types have is null on an object of another type.

import { meantName, quoteText } from '@flaghoist/source-text';
import type { AttributeShape, ObjectShape } from '../input/object-shape.ts';
import type { Span } from '../syntax/mistake.ts';
import type { Name } from '../syntax/syntax-tree.ts';
import { describeType, isSameType, type JavaType, unite } from '../typing/java-type.ts';
import { placeOfType, type ReadPlace, whyUnreadable } from '../typing/read-place.ts';
import { variableNames } from '../typing/variable.ts';
import { type CallTree, type CheckContext, reportMistake, typed } from './check-context.ts';
import type { Checked } from './checked-tree.ts';
import { gettersOf, type OwnedGetter, ownersOf, typeOfAttribute } from './getters.ts';
import { type Hint, nearestHint } from './hint.ts';

/** Undefined if the receiver is not an object, or if the call is a method that every object has. */
export function checkGetter(context: CheckContext, call: CallTree, receiver: Checked): Checked | undefined {
  const { type } = receiver;
  if (type.kind !== 'object' && type.kind !== 'oneOf') return undefined;
  const types = type.kind === 'object' ? [type.type] : type.types;
  const owners = ownersOf(types, call.name.text);
  const [first] = owners;
  if (first && call.args.length > 0)
    return reportMistake(context, call.args[0]!, `The getter ${call.name.text}() takes no arguments.`);
  if (!first) return call.name.text === 'equals' ? undefined : reportGetter(context, call.name, receiver, types);
  if (type.kind === 'object') return checkAttribute(context, call.name, receiver, first.attribute);
  return checkShared(context, call.name, receiver, owners);
}

/** Reads an attribute of an object of one type. In a short form the object may be null. */
export function checkAttribute(context: CheckContext, at: Span, object: Checked, attribute: AttributeShape): Checked {
  const { places } = object.type as JavaType & { kind: 'object' };
  const problem = findUnreadable(places, attribute);
  if (problem !== undefined) return reportMistake(context, at, problem);
  const { isNullSafe } = context;
  return typed(typeOfAttribute(attribute, places), at.start, { kind: 'attribute', object, attribute, isNullSafe });
}

/** Reads an attribute that one or more of the possible types have. */
function checkShared(context: CheckContext, name: Name, object: Checked, owners: readonly OwnedGetter[]): Checked {
  const { types, places } = object.type as JavaType & { kind: 'oneOf' };
  const found = owners.map(({ type, attribute }) => {
    const from = places.map((place) => placeOfType(place, type));
    return { type, problem: findUnreadable(from, attribute), javaType: typeOfAttribute(attribute, from) };
  });
  const [first] = found;
  const problem = found.find((owner) => owner.problem !== undefined)?.problem;
  if (problem !== undefined) return reportMistake(context, name, problem);
  const other = found.find(({ javaType }) => !isSameType(javaType, first!.javaType));
  if (other) return reportMistake(context, name, describeConflict(name, object, first!, other));
  const { attribute } = owners[0]!;
  const isShared = owners.length === types.length;
  const names = isShared ? {} : { owners: new Set(owners.map(({ type }) => type.name)) };
  const javaType = found.map((owner) => owner.javaType).reduce(unite);
  return typed(javaType, name.start, { kind: 'attribute', object, attribute, isNullSafe: false, ...names });
}

interface FoundGetter {
  readonly type: ObjectShape;
  readonly javaType: JavaType;
}

function describeConflict({ text }: Name, object: Checked, one: FoundGetter, other: FoundGetter): string {
  const kinds = [one, other].map(({ type, javaType }) => `${describeType(javaType)} in ${type.name}`).join(' and ');
  const subject = object.kind === 'variable' ? variableNames[object.variable] : 'changedObject';
  return `${text}() is ${kinds}. Cast first: ((${one.type.name}) ${subject}).${text}().`;
}

function findUnreadable(places: readonly ReadPlace[], attribute: AttributeShape): string | undefined {
  return places.map((place) => whyUnreadable(place, attribute)).find((reason) => reason !== undefined);
}

function reportGetter(context: CheckContext, name: Name, receiver: Checked, types: readonly ObjectShape[]): Checked {
  const attribute = attributeName(name.text);
  const kind = types.map((type) => type.attributes.get(attribute)?.kind).find((found) => found !== undefined);
  if (kind === 'binary' || kind === 'json') {
    const what = kind === 'json' ? 'JSON' : 'a file';
    return reportMistake(context, name, `"${attribute}" cannot be read in an expression: it is ${what}.`);
  }
  if (/^set[A-Z]/.test(name.text))
    return reportMistake(context, name, 'A filter changes nothing, so there are no setters.');
  const claim =
    receiver.type.kind === 'object'
      ? `${receiver.type.type.name} has no getter`
      : `No type in the hierarchy of ${context.type.name} has a getter`;
  const problem = `${claim} ${shown(name)}()`;
  const elsewhere = elsewhereHint(context, name.text, receiver);
  if (elsewhere) return reportMistake(context, name, problem, elsewhere);
  const hint = getterHint(name.text, types) ?? hierarchyHint(context, name.text, receiver);
  return reportMistake(context, name, `${problem}.`, hint);
}

/** `; PortCall has it: …` if the getter belongs to the object that changed, not to the subscribed one. */
function elsewhereHint({ hierarchy }: CheckContext, getter: string, receiver: Checked): Hint | undefined {
  const variable = changedFor(receiver);
  const owners = variable ? ownersOf(hierarchy, getter).map(({ type }) => type.name) : [];
  if (owners.length === 0) return undefined;
  const [last, ...others] = owners.reverse();
  const names = others.length > 0 ? `${others.reverse().join(', ')} and ${last} have it` : `${last} has it`;
  return { sentence: `; ${names}: use ${variable}.${getter}().` };
}

function hierarchyHint({ hierarchy }: CheckContext, getter: string, receiver: Checked): Hint | undefined {
  const variable = changedFor(receiver);
  const meant = variable && meantName(getter, new Set(hierarchy.flatMap((type) => [...gettersOf(type).keys()])));
  return meant === undefined ? undefined : { sentence: ` Did you mean "${variable}.${meant}"?` };
}

/** The name of the changed object in the same state as svcObject or oldSvcObject. */
function changedFor(receiver: Checked): string | undefined {
  if (receiver.kind !== 'variable' || receiver.type.kind !== 'object') return undefined;
  return variableNames[receiver.variable === 'new' ? 'changed' : 'oldChanged'];
}

/** Tries the getters, then the attributes: authors leave out the part that repeats the type (`getName` of a vessel). */
export function getterHint(name: string, types: readonly ObjectShape[]): Hint | undefined {
  const hint = nearestHint(name, new Set(types.flatMap((type) => [...gettersOf(type).keys()])));
  if (hint) return hint;
  const meant = meantName(attributeName(name), new Set(types.flatMap((type) => [...type.attributes.keys()])));
  if (meant === undefined) return undefined;
  const suggestion = `get${meant.charAt(0).toUpperCase()}${meant.slice(1)}`;
  return { sentence: ` Did you mean "${suggestion}"?`, suggestion };
}

/** The attribute `vesselName` for the getter `getVesselName`. */
function attributeName(getter: string): string {
  const rest = getter.replace(/^get(?=[A-Z])/, '');
  return rest.charAt(0).toLowerCase() + rest.slice(1);
}

/** Shortened, and without invisible characters, which could disturb a terminal. */
export function shown({ text }: Name): string {
  return quoteText(text).slice(1, -1);
}
