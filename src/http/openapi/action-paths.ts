// `/ws/rest/{Resource}/{key}/{action}`: what each action takes and answers, as the model says.

import { actionScope } from '../../model/action-scope.ts';
import { mustBeSent } from '../../model/must-be-sent.ts';
import type { Action, ObjectType, ScalarAttribute } from '../../model/object-type.ts';
import { restPath } from '../routes/object-routes.ts';
import type { ActionNames } from './component-names.ts';
import { type DescriptionContext, namesOf } from './description-context.ts';
import { errorRefs } from './error-responses.ts';
import { type Example, scalarExample } from './example-objects.ts';
import { jsonContent, type Schema, schemaRef } from './json-schema.ts';
import { headerRefs, parameterRef } from './parameters.ts';
import { anytime, headOf } from './resource-operation.ts';
import { answeredScalar, sentScalar } from './scalar-schemas.ts';

export function actionPaths(context: DescriptionContext, type: ObjectType): Record<string, unknown> {
  const paths = [...type.actions.values()].map((action) => [
    `${restPath}/${type.name}/{key}/${action.name}`,
    {
      parameters: [parameterRef('key'), parameterRef('apiVersion')],
      post: actionOperation(context, type, action),
    },
  ]);
  return Object.fromEntries(paths);
}

export function actionSchemas(context: DescriptionContext, type: ObjectType): Record<string, Schema> {
  const schemas = [...type.actions.values()].flatMap((action) => {
    const names = namesOfAction(context, type, action);
    return [
      [names.takes, takenSchema(context, type, action)],
      [names.answers, answeredSchema(context, type, action)],
    ];
  });
  return Object.fromEntries(schemas);
}

/** Members as they are taken or answered, as far as there is something to show. */
export function membersExample(
  context: DescriptionContext,
  type: ObjectType,
  members: readonly ScalarAttribute[],
): Example {
  const shown = members.map((member) => [member.name, scalarExample(context, type, member)]);
  return Object.fromEntries(shown.filter(([, value]) => value !== undefined));
}

function actionOperation(context: DescriptionContext, type: ObjectType, action: Action): unknown {
  const { name, description, takes, since } = action;
  const names = namesOfAction(context, type, action);
  const subject = { context, type, scope: actionScope(type.access) };
  return {
    ...headOf(subject, {
      operationId: `${name}Of${type.name}`,
      summary: `${name} of a ${type.name}`,
      description: [description, ...(since === undefined ? [] : [`Since ${since}.`])].join(' '),
    }),
    parameters: [parameterRef('idempotencyKey')],
    requestBody: { required: takes.some(mustBeSent), content: jsonContent(schemaRef(names.takes)) },
    responses: {
      200: {
        description: 'It is done.',
        headers: headerRefs('Vary', 'Cache-Control'),
        content: jsonContent(schemaRef(names.answers)),
      },
      ...errorRefs(...anytime, 404, 409, 413, 415, 422),
    },
  };
}

function takenSchema(context: DescriptionContext, type: ObjectType, { name, takes }: Action): Schema {
  return {
    type: 'object',
    description: `What ${name} of a ${type.name} takes.`,
    required: takes.filter(mustBeSent).map((member) => member.name),
    properties: Object.fromEntries(takes.map((member) => [member.name, sentScalar({ context, type }, member, true)])),
    additionalProperties: false,
    examples: [membersExample(context, type, takes)],
  };
}

function answeredSchema(context: DescriptionContext, type: ObjectType, { name, answers }: Action): Schema {
  return {
    type: 'object',
    description: `What ${name} of a ${type.name} answers.`,
    required: answers.filter(({ isRequired }) => isRequired).map((member) => member.name),
    properties: Object.fromEntries(answers.map((member) => [member.name, answeredScalar({ context, type }, member)])),
    examples: [membersExample(context, type, answers)],
  };
}

function namesOfAction(context: DescriptionContext, type: ObjectType, { name }: Action): ActionNames {
  return namesOf(context, type).actions.get(name)!;
}
