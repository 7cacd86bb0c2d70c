// Describes `/ws/rest/{Resource}/{key}/{action}` and `/ws/rest/{Resource}/{action}`: the input and output of each
// action, as the model defines them. Describes the operations that belong to no type in the same way.

import { actionScope } from '../../../model/action-scope.ts';
import { serviceOperations } from '../../../model/catalogue/service-operations.ts';
import { mustBeSent } from '../../../model/must-be-sent.ts';
import type { Action, ObjectType } from '../../../model/object-type.ts';
import { restPath } from '../../../paths.ts';
import type { ActionNames } from '../component-names.ts';
import { deprecationOf, withDeprecation } from '../describe-attribute.ts';
import { type DescriptionContext, namesOf } from '../description-context.ts';
import { jsonContent, type Schema, schemaRef } from '../json-schema.ts';
import { type Parameter, parameterRefs } from '../parameters.ts';
import { parameterSchema } from '../schemas/scalar-schemas.ts';
import { errorRefs } from './error-responses.ts';
import { type AnySubject, answerHeaders, anytime, type OperationText, operationHead } from './resource-operation.ts';

export function actionPaths(context: DescriptionContext, type: ObjectType): Record<string, unknown> {
  const paths = [...type.actions.values()].map((action) => {
    const { name, on, method, ofType } = action;
    const subject = { context, type, scope: actionScope(type.access, action) };
    const names = namesOf(context, type).actions.get(name)!;
    const describe = (text: OperationText) => ({
      [method.toLowerCase()]: actionOperation(subject, action, { names, text }),
    });
    return {
      ...(on !== 'type' && {
        [`${restPath}/${type.name}/{key}/${name}`]: {
          parameters: parameterRefs('key', 'apiVersion'),
          ...describe({ ...action, operationId: operationIdOf(action, type.name) }),
        },
      }),
      ...(on !== 'object' && {
        [`${restPath}/${type.name}/${name}`]: {
          parameters: parameterRefs('apiVersion'),
          ...describe({
            ...ofType,
            deprecated: action.deprecated,
            operationId: operationIdOf(action, on === 'both' ? `All${type.name}` : type.name),
          }),
        },
      }),
    };
  });
  return Object.assign({}, ...paths);
}

/** Two operations can have the same path and another method. */
export function serviceOperationPaths(context: DescriptionContext): Record<string, unknown> {
  const paths: Record<string, object> = {};
  for (const operation of serviceOperations) {
    const { name, path, scope, method, summary, description } = operation;
    const names = context.names.operations.get(name)!;
    const subject = { context, type: undefined, scope };
    const text = { operationId: name, summary, description };
    paths[`${restPath}/${path}`] = {
      parameters: parameterRefs('apiVersion'),
      ...paths[`${restPath}/${path}`],
      [method.toLowerCase()]: actionOperation(subject, operation, { names, text }),
    };
  }
  return paths;
}

/** Verb, type, and the rest: `rotateApiClientSecret`. What only reads is named after what it answers. */
function operationIdOf(action: Action, typeName: string): string {
  const { name, answersList, answersEvents, method } = action;
  const isRead = method === 'GET' && !answersEvents;
  const read = answersList ? 'list' : 'get';
  const added = action.verb ?? (isRead ? read : undefined);
  const [, verb, rest] = /^([a-z]+)(.*)$/.exec(added ? `${added}${capitalised(name)}` : name)!;
  return `${verb}${typeName}${rest}`;
}

function capitalised(name: string): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

interface Described {
  names: ActionNames;
  text: OperationText;
}

function actionOperation(subject: AnySubject, action: Action, { names, text }: Described): unknown {
  const { since, isRepeatable, answersStatus, method } = action;
  const { request, response } = names;
  const description = since === undefined ? text.description : `${text.description} Since ${since}.`;
  return {
    ...operationHead(subject, { ...text, description }),
    ...(method === 'GET' ? { parameters: queryParameters(subject, action) } : postedRequest(request, action)),
    responses: {
      [answersStatus]: {
        description: isRepeatable ? text.description : 'The action succeeded.',
        headers: answerHeaders(subject, 'Vary', 'Cache-Control'),
        content: answerContent(action, schemaRef(response)),
      },
      ...errorRefs(...anytime, ...(subject.type ? ([404] as const) : []), ...errorsOf(subject, action)),
    },
  };
}

function answerContent({ answersList, answersEvents }: Action, schema: Schema): unknown {
  if (answersEvents) return { 'text/event-stream': { schema: { type: 'string', contentSchema: schema } } };
  return jsonContent(answersList ? { type: 'array', items: schema } : schema);
}

/** Only requests with an Idempotency-Key can cause a 422. */
function errorsOf({ type }: AnySubject, { method, isRepeatable, answersEvents }: Action): (409 | 413 | 415 | 422)[] {
  if (method === 'GET') return answersEvents && type ? [409] : [];
  return isRepeatable ? [409, 413, 415] : [409, 413, 415, 422];
}

function queryParameters({ context, type }: AnySubject, { takes }: Action): Parameter[] {
  return takes.map((member) => ({
    name: member.name,
    in: 'query',
    required: mustBeSent(member),
    description: withDeprecation(member.description, member),
    ...deprecationOf(member),
    schema: parameterSchema(context, type, member),
  }));
}

function postedRequest(requestName: string, { takes, isRepeatable }: Action): Record<string, unknown> {
  return {
    ...(!isRepeatable && { parameters: parameterRefs('idempotencyKey') }),
    requestBody: { required: takes.some(mustBeSent), content: jsonContent(schemaRef(requestName)) },
  };
}
