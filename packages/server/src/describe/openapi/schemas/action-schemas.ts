// Schemas of the request and the response of each action, and of each operation that belongs to no type.

import { serviceOperations } from '../../../model/catalogue/service-operations.ts';
import { mustBeSent } from '../../../model/must-be-sent.ts';
import type { Action, ObjectType } from '../../../model/object-type.ts';
import type { ActionNames } from '../component-names.ts';
import { type DescriptionContext, namesOf } from '../description-context.ts';
import { actionRequestExample, actionResponseExample } from '../examples/object-examples.ts';
import { byName, objectSchema, type Schema, type Schemas } from '../json-schema.ts';
import { requestScalar, responseScalar } from './scalar-schemas.ts';

export function actionSchemas(context: DescriptionContext, type: ObjectType): Schemas {
  const { actions } = namesOf(context, type);
  return schemasOf([...type.actions.values()], (action) => ({
    names: actions.get(action.name)!,
    context,
    type,
    action,
    title: `${action.name} of a ${type.name}`,
  }));
}

export function serviceOperationSchemas(context: DescriptionContext): Schemas {
  return schemasOf(serviceOperations, (action) => ({
    names: context.names.operations.get(action.name)!,
    context,
    type: undefined,
    action,
    title: action.name,
  }));
}

interface Described {
  names: ActionNames;
  context: DescriptionContext;
  /** Undefined: the operation belongs to no type. */
  type: ObjectType | undefined;
  action: Action;
  title: string;
}

function schemasOf(actions: readonly Action[], describe: (action: Action) => Described): Schemas {
  const schemas = actions.map((action): Schemas => {
    const described = describe(action);
    const { request, response } = described.names;
    return {
      ...(action.method !== 'GET' && { [request]: requestSchema(described) }),
      [response]: responseSchema(described),
    };
  });
  return Object.assign({}, ...schemas);
}

function requestSchema({ context, type, action, title }: Described): Schema {
  const properties = byName(action.takes, (member) => requestScalar(context, type, member, true));
  const required = action.takes.filter(mustBeSent).map(({ name }) => name);
  return {
    ...objectSchema(`The request body of ${title}.`, properties, required),
    additionalProperties: false,
    examples: [actionRequestExample(context, type, action)],
  };
}

function responseSchema({ context, type, action, title }: Described): Schema {
  const { answers, answersList } = action;
  const part = answersList ? 'One element of the response' : 'The response';
  const properties = byName(answers, (member) => responseScalar(context, type, member));
  const required = answers.filter(({ isRequired }) => isRequired).map((member) => member.name);
  return {
    ...objectSchema(`${part} of ${title}.`, properties, required),
    examples: [actionResponseExample(context, type, action)],
  };
}
