// Describes `/ws/rest/{Resource}/{key}/{action}` and `/ws/rest/{Resource}/{action}`: the input and output of each
// action, as the model defines them.

import { actionScope } from '../../model/action-scope.ts';
import { mustBeSent } from '../../model/must-be-sent.ts';
import type { Action, ObjectType, ScalarAttribute } from '../../model/object-type.ts';
import { restPath } from '../../paths.ts';
import type { ActionNames } from './component-names.ts';
import { type DescriptionContext, namesOf } from './description-context.ts';
import { errorRefs } from './error-responses.ts';
import { type Example, scalarExample } from './example-objects.ts';
import { jsonContent, type Schema, schemaRef } from './json-schema.ts';
import { headerRefs, type Parameter, parameterRefs } from './parameters.ts';
import { anytime, headOf, type Subject } from './resource-operation.ts';
import { requestScalar, responseScalar } from './scalar-schemas.ts';

export function actionPaths(context: DescriptionContext, type: ObjectType): Record<string, unknown> {
  const paths = [...type.actions.values()].flatMap((action) =>
    pathsOf(context, type, action).map(({ path, isOnObject, operationId, text }) => [
      path,
      {
        parameters: parameterRefs(...(isOnObject ? (['key'] as const) : []), 'apiVersion'),
        [action.method.toLowerCase()]: {
          ...actionHead({ context, type, scope: actionScope(type.access, action) }, action, { operationId, text }),
          ...(action.method === 'GET' ? safeRequest(context, type, action) : postedRequest(context, type, action)),
          responses: {
            [action.answersStatus]: actionResponse(context, type, action, text),
            ...errorRefs(...anytime, 404, ...errorsOf(action)),
          },
        },
      },
    ]),
  );
  return Object.fromEntries(paths);
}

/** Only requests with an Idempotency-Key can cause a 422. */
function errorsOf({ method, changesNothing }: Action): (409 | 413 | 415 | 422)[] {
  if (method === 'GET') return [];
  return changesNothing ? [409, 413, 415] : [409, 413, 415, 422];
}

interface ActionPath {
  path: string;
  isOnObject: boolean;
  operationId: string;
  text: Pick<Action, 'summary' | 'description'>;
}

/** For example `decisionsOfWebhookSubscription`, and `decisionsOfWebhookSubscriptions` for the whole type. */
function pathsOf(context: DescriptionContext, type: ObjectType, action: Action): ActionPath[] {
  const { name, on, ofType } = action;
  const base = `${restPath}/${type.name}`;
  const { plural } = namesOf(context, type);
  const object = {
    path: `${base}/{key}/${name}`,
    isOnObject: true,
    operationId: `${name}Of${type.name}`,
    text: action,
  };
  const whole = {
    path: `${base}/${name}`,
    isOnObject: false,
    operationId: `${name}Of${plural === type.name ? `${plural}List` : plural}`,
    text: ofType,
  };
  return [...(on === 'type' ? [] : [object]), ...(on === 'object' ? [] : [whole])];
}

export function actionSchemas(context: DescriptionContext, type: ObjectType): Record<string, Schema> {
  const schemas = [...type.actions.values()].flatMap((action) => {
    const names = namesOfAction(context, type, action);
    return [
      ...(action.method === 'GET' ? [] : [[names.request, requestSchema(context, type, action)]]),
      [names.response, responseSchema(context, type, action)],
    ];
  });
  return Object.fromEntries(schemas);
}

/** Example members of a request or response, without those that have no example value. */
export function membersExample(
  context: DescriptionContext,
  type: ObjectType,
  members: readonly ScalarAttribute[],
): Example {
  const shown = members.map((member) => [member.name, scalarExample(context, type, member)]);
  return Object.fromEntries(shown.filter(([, value]) => value !== undefined));
}

function actionHead(subject: Subject, action: Action, { operationId, text }: Pick<ActionPath, 'operationId' | 'text'>) {
  const { since } = action;
  return headOf(subject, {
    operationId,
    summary: text.summary,
    description: [text.description, ...(since === undefined ? [] : [`Since ${since}.`])].join(' '),
  });
}

function safeRequest(context: DescriptionContext, type: ObjectType, { takes }: Action): { parameters: Parameter[] } {
  const parameters = takes.map((member) => ({
    name: member.name,
    in: 'query' as const,
    required: mustBeSent(member),
    description: member.description,
    // A query parameter cannot be null.
    schema: requestScalar({ context, type }, { ...member, isRequired: true }, true),
  }));
  return { parameters };
}

function postedRequest(context: DescriptionContext, type: ObjectType, action: Action): Record<string, unknown> {
  const { request } = namesOfAction(context, type, action);
  return {
    ...(action.changesNothing ? {} : { parameters: parameterRefs('idempotencyKey') }),
    requestBody: { required: action.takes.some(mustBeSent), content: jsonContent(schemaRef(request)) },
  };
}

function actionResponse(
  context: DescriptionContext,
  type: ObjectType,
  action: Action,
  { description }: ActionPath['text'],
): unknown {
  const schema = schemaRef(namesOfAction(context, type, action).response);
  return {
    description: action.changesNothing ? description : 'The action succeeded.',
    headers: headerRefs('Vary', 'Cache-Control'),
    content: jsonContent(action.answersList ? { type: 'array', items: schema } : schema),
  };
}

function requestSchema(context: DescriptionContext, type: ObjectType, { name, takes }: Action): Schema {
  return {
    type: 'object',
    description: `The request body of ${name} of a ${type.name}.`,
    required: takes.filter(mustBeSent).map((member) => member.name),
    properties: Object.fromEntries(
      takes.map((member) => [member.name, requestScalar({ context, type }, member, true)]),
    ),
    additionalProperties: false,
    // An optional member is included only if the model has an example for it, because some members exclude each other.
    examples: [
      membersExample(
        context,
        type,
        takes.filter((member) => mustBeSent(member) || member.example !== undefined),
      ),
    ],
  };
}

function responseSchema(context: DescriptionContext, type: ObjectType, { name, answers, answersList }: Action): Schema {
  return {
    type: 'object',
    description: answersList
      ? `One element of the response of ${name} of a ${type.name}.`
      : `The response of ${name} of a ${type.name}.`,
    required: answers.filter(({ isRequired }) => isRequired).map((member) => member.name),
    properties: Object.fromEntries(answers.map((member) => [member.name, responseScalar({ context, type }, member)])),
    examples: [membersExample(context, type, answers)],
  };
}

function namesOfAction(context: DescriptionContext, type: ObjectType, { name }: Action): ActionNames {
  return namesOf(context, type).actions.get(name)!;
}
