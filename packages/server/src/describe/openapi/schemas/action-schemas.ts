// Schemas of the request and the response of each action.

import { mustBeSent } from '../../../model/must-be-sent.ts';
import type { Action, ObjectType } from '../../../model/object-type.ts';
import { type DescriptionContext, namesOf } from '../description-context.ts';
import { actionRequestExample, actionResponseExample } from '../examples/object-examples.ts';
import { byName, objectSchema, type Schema, type Schemas } from '../json-schema.ts';
import { requestScalar, responseScalar } from './scalar-schemas.ts';

export function actionSchemas(context: DescriptionContext, type: ObjectType): Schemas {
  const schemas = [...type.actions.values()].map((action): Schemas => {
    const { request, response } = namesOf(context, type).actions.get(action.name)!;
    return {
      ...(action.method !== 'GET' && { [request]: requestSchema(context, type, action) }),
      [response]: responseSchema(context, type, action),
    };
  });
  return Object.assign({}, ...schemas);
}

function requestSchema(context: DescriptionContext, type: ObjectType, action: Action): Schema {
  const properties = byName(action.takes, (member) => requestScalar(context, type, member, true));
  const required = action.takes.filter(mustBeSent).map(({ name }) => name);
  return {
    ...objectSchema(`The request body of ${action.name} of a ${type.name}.`, properties, required),
    additionalProperties: false,
    examples: [actionRequestExample(context, type, action)],
  };
}

function responseSchema(context: DescriptionContext, type: ObjectType, action: Action): Schema {
  const { name, answers, answersList } = action;
  const part = answersList ? 'One element of the response' : 'The response';
  const properties = byName(answers, (member) => responseScalar(context, type, member));
  const required = answers.filter(({ isRequired }) => isRequired).map((member) => member.name);
  return {
    ...objectSchema(`${part} of ${name} of a ${type.name}.`, properties, required),
    examples: [actionResponseExample(context, type, action)],
  };
}
