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
import { answeredScalar, sentScalar } from './scalar-schemas.ts';

export function actionPaths(context: DescriptionContext, type: ObjectType): Record<string, unknown> {
  const paths = [...type.actions.values()].flatMap((action) =>
    pathsOf(context, type, action).map(({ path, isOnObject, operationId, words }) => [
      path,
      {
        parameters: parameterRefs(...(isOnObject ? (['key'] as const) : []), 'apiVersion'),
        [action.method.toLowerCase()]: {
          ...actionHead({ context, type, scope: actionScope(type.access, action) }, action, { operationId, words }),
          ...(action.method === 'GET' ? safeRequest(context, type, action) : postedRequest(context, type, action)),
          responses: {
            [action.answersStatus]: actionAnswer(context, type, action, words),
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
  words: Pick<Action, 'summary' | 'description'>;
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
    words: action,
  };
  const whole = {
    path: `${base}/${name}`,
    isOnObject: false,
    operationId: `${name}Of${plural === type.name ? `${plural}List` : plural}`,
    words: ofType,
  };
  return [...(on === 'type' ? [] : [object]), ...(on === 'object' ? [] : [whole])];
}

export function actionSchemas(context: DescriptionContext, type: ObjectType): Record<string, Schema> {
  const schemas = [...type.actions.values()].flatMap((action) => {
    const names = namesOfAction(context, type, action);
    return [
      ...(action.method === 'GET' ? [] : [[names.takes, takenSchema(context, type, action)]]),
      [names.answers, answeredSchema(context, type, action)],
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

function actionHead(
  subject: Subject,
  action: Action,
  { operationId, words }: Pick<ActionPath, 'operationId' | 'words'>,
) {
  const { since } = action;
  return headOf(subject, {
    operationId,
    summary: words.summary,
    description: [words.description, ...(since === undefined ? [] : [`Since ${since}.`])].join(' '),
  });
}

function safeRequest(context: DescriptionContext, type: ObjectType, { takes }: Action): { parameters: Parameter[] } {
  const parameters = takes.map((member) => ({
    name: member.name,
    in: 'query' as const,
    required: mustBeSent(member),
    description: member.description,
    // A query parameter cannot be null.
    schema: sentScalar({ context, type }, { ...member, isRequired: true }, true),
  }));
  return { parameters };
}

function postedRequest(context: DescriptionContext, type: ObjectType, action: Action): Record<string, unknown> {
  const { takes } = namesOfAction(context, type, action);
  return {
    ...(action.changesNothing ? {} : { parameters: parameterRefs('idempotencyKey') }),
    requestBody: { required: action.takes.some(mustBeSent), content: jsonContent(schemaRef(takes)) },
  };
}

function actionAnswer(
  context: DescriptionContext,
  type: ObjectType,
  action: Action,
  { description }: ActionPath['words'],
): unknown {
  const answered = schemaRef(namesOfAction(context, type, action).answers);
  return {
    description: action.changesNothing ? description : 'It is done.',
    headers: headerRefs('Vary', 'Cache-Control'),
    content: jsonContent(action.answersList ? { type: 'array', items: answered } : answered),
  };
}

function takenSchema(context: DescriptionContext, type: ObjectType, { name, takes }: Action): Schema {
  return {
    type: 'object',
    description: `What ${name} of a ${type.name} takes.`,
    required: takes.filter(mustBeSent).map((member) => member.name),
    properties: Object.fromEntries(takes.map((member) => [member.name, sentScalar({ context, type }, member, true)])),
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

function answeredSchema(context: DescriptionContext, type: ObjectType, { name, answers, answersList }: Action): Schema {
  return {
    type: 'object',
    description: answersList
      ? `One element of what ${name} of a ${type.name} answers.`
      : `What ${name} of a ${type.name} answers.`,
    required: answers.filter(({ isRequired }) => isRequired).map((member) => member.name),
    properties: Object.fromEntries(answers.map((member) => [member.name, answeredScalar({ context, type }, member)])),
    examples: [membersExample(context, type, answers)],
  };
}

function namesOfAction(context: DescriptionContext, type: ObjectType, { name }: Action): ActionNames {
  return namesOf(context, type).actions.get(name)!;
}
