// Describes `/ws/rest/{Resource}/{key}/{action}` and `/ws/rest/{Resource}/{action}`: the input and output of each
// action, as the model defines them.

import { actionScope } from '../../../model/action-scope.ts';
import { mustBeSent } from '../../../model/must-be-sent.ts';
import type { Action, ObjectType } from '../../../model/object-type.ts';
import { restPath } from '../../../paths.ts';
import { type DescriptionContext, namesOf } from '../description-context.ts';
import { jsonContent, schemaRef } from '../json-schema.ts';
import { headerRefs, type Parameter, parameterRefs } from '../parameters.ts';
import { requestScalar } from '../schemas/scalar-schemas.ts';
import { errorRefs } from './error-responses.ts';
import { anytime, type OperationText, operationHead, type Subject } from './resource-operation.ts';

/** For example `decisionsOfWebhookSubscription`, and `decisionsOfWebhookSubscriptions` for the whole type. */
export function actionPaths(context: DescriptionContext, type: ObjectType): Record<string, unknown> {
  const { plural } = namesOf(context, type);
  const wholeType = plural === type.name ? `${plural}List` : plural;
  const paths = [...type.actions.values()].map((action) => {
    const { name, on, method, ofType } = action;
    const subject = { context, type, scope: actionScope(type.access, action) };
    const describe = (text: OperationText) => ({ [method.toLowerCase()]: actionOperation(subject, action, text) });
    return {
      ...(on !== 'type' && {
        [`${restPath}/${type.name}/{key}/${name}`]: {
          parameters: parameterRefs('key', 'apiVersion'),
          ...describe({ ...action, operationId: `${name}Of${type.name}` }),
        },
      }),
      ...(on !== 'object' && {
        [`${restPath}/${type.name}/${name}`]: {
          parameters: parameterRefs('apiVersion'),
          ...describe({ ...ofType, operationId: `${name}Of${wholeType}` }),
        },
      }),
    };
  });
  return Object.assign({}, ...paths);
}

function actionOperation(subject: Subject, action: Action, text: OperationText): unknown {
  const { since, changesNothing, answersStatus, answersList, name, method } = action;
  const { request, response } = namesOf(subject.context, subject.type).actions.get(name)!;
  const description = since === undefined ? text.description : `${text.description} Since ${since}.`;
  const schema = schemaRef(response);
  return {
    ...operationHead(subject, { ...text, description }),
    ...(method === 'GET' ? { parameters: queryParameters(subject, action) } : postedRequest(request, action)),
    responses: {
      [answersStatus]: {
        description: changesNothing ? text.description : 'The action succeeded.',
        headers: headerRefs('Vary', 'Cache-Control'),
        content: jsonContent(answersList ? { type: 'array', items: schema } : schema),
      },
      ...errorRefs(...anytime, 404, ...errorsOf(action)),
    },
  };
}

/** Only requests with an Idempotency-Key can cause a 422. */
function errorsOf({ method, changesNothing }: Action): (409 | 413 | 415 | 422)[] {
  if (method === 'GET') return [];
  return changesNothing ? [409, 413, 415] : [409, 413, 415, 422];
}

function queryParameters({ context, type }: Subject, { takes }: Action): Parameter[] {
  return takes.map((member) => ({
    name: member.name,
    in: 'query',
    required: mustBeSent(member),
    description: member.description,
    // A query parameter cannot be null.
    schema: requestScalar(context, type, { ...member, isRequired: true }, true),
  }));
}

function postedRequest(requestName: string, { takes, changesNothing }: Action): Record<string, unknown> {
  return {
    ...(!changesNothing && { parameters: parameterRefs('idempotencyKey') }),
    requestBody: { required: takes.some(mustBeSent), content: jsonContent(schemaRef(requestName)) },
  };
}
