// An object type as data: its attributes, its place among the other types, and what the caller may do with it.

import { actionScope } from '../../model/action-scope.ts';
import { typesBelow } from '../../model/hierarchy.ts';
import type { Action, Model, ObjectType } from '../../model/object-type.ts';
import { type Scope, scopesNeeded } from '../../model/scopes.ts';
import { spellOut } from '../openapi/describe-attribute.ts';
import { attributeData, memberData } from './attribute-data.ts';

interface Sight {
  /** As the caller sees it. */
  model: Model;
  scopes: ReadonlySet<Scope>;
}

export function describeType(type: ObjectType, { model, scopes }: Sight): object {
  const { name, description, makesEvents, isServiceOwn, shownBy, owner, code, sequence, ownedBy, needsOneOf } = type;
  const { deprecated } = type;
  const attributes = [...type.attributes.values()].map((attribute) => attributeData(attribute));
  const writeOnly = [...type.writeOnly.values()].map((attribute) => memberData(attribute, { isWriteOnly: true }));
  const shownOnce = type.shownOnce.map((attribute) => memberData(attribute, { isShownOnce: true }));
  const below = makesEvents ? typesBelow(model, type).filter((each) => each !== type) : [];
  const mayCall = (action: Action) => isAllowed(actionScope(type.access, action), scopes);
  return {
    name,
    label: spellOut(name),
    description,
    access: accessOf(type, scopes),
    isMain: makesEvents && owner === undefined,
    makesEvents,
    isServiceOwn,
    shownBy: shownBy.map((attribute) => attribute.name),
    below: below.map((each) => each.name),
    ...(owner && { owner: owner.target.name, ownerAttribute: owner.name }),
    ...(code && { code: code.name }),
    ...(sequence && { sequence: sequence.name }),
    ...(ownedBy && { ownedBy: ownedBy.name }),
    ...(needsOneOf.length > 0 && { needsOneOf }),
    ...(deprecated && { deprecated }),
    attributes: [...attributes, ...writeOnly, ...shownOnce],
    actions: [...type.actions.values()].filter(mayCall).map(describeAction),
  };
}

function accessOf({ access, isCreatedByService }: ObjectType, scopes: ReadonlySet<Scope>): object {
  const canUpdate = access.write !== 'nobody' && isAllowed(access.write, scopes);
  const canCreate = canUpdate && !isCreatedByService;
  return { canCreate, canUpdate, canDelete: canCreate };
}

function isAllowed(scope: Scope, scopes: ReadonlySet<Scope>): boolean {
  return scopesNeeded(scope).every((one) => scopes.has(one));
}

function describeAction({ name, on, method, summary, description, ...action }: Action): object {
  const { takes, answers, answersList, answersEvents } = action;
  return {
    ...{ name, on, method, summary, description },
    takes: takes.map((member) => memberData(member)),
    answers: answers.map((member) => memberData(member)),
    answersList,
    answersEvents,
  };
}
