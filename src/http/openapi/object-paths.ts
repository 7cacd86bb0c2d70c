// `/ws/rest/{Resource}` and `/ws/rest/{Resource}/{key}` of every type: what each method takes and what it answers.

import type { ObjectType } from '../../model/object-type.ts';
import { restPath } from '../routes/object-routes.ts';
import type { TypeNames } from './component-names.ts';
import { type DescriptionContext, namesOf } from './description-context.ts';
import { errorRefs } from './error-responses.ts';
import { type Schema, schemaRef } from './json-schema.ts';
import { headerRefs, parameterRef } from './parameters.ts';

export function objectPaths(context: DescriptionContext, type: ObjectType): Record<string, unknown> {
  const names = namesOf(context, type);
  return {
    [`${restPath}/${type.name}`]: { get: listOperation(type, names), post: createOperation(context, type, names) },
    [`${restPath}/${type.name}/{key}`]: {
      parameters: [parameterRef('key')],
      get: readOperation(type, names),
      put: changeOperation(type, names),
      delete: deleteOperation(type),
    },
  };
}

/** What may happen to any request. */
const anytime = [400, 408, 429, 431, 500, 503] as const;

function listOperation({ name }: ObjectType, { plural, minimized }: TypeNames): unknown {
  return {
    tags: [name],
    operationId: `list${plural}`,
    summary: `List ${name} objects`,
    parameters: [
      parameterRef('filter'),
      parameterRef('sort'),
      parameterRef('pageNumber'),
      parameterRef('limit'),
      parameterRef('after'),
      parameterRef('fieldsQuery'),
      parameterRef('fieldsHeader'),
      parameterRef('noCount'),
    ],
    responses: {
      200: {
        description: `The ${name} objects that match, minimized, or as \`fields\` picks.`,
        headers: headerRefs('totalObjectsNumber', 'Link', 'Vary'),
        content: json({ type: 'array', items: schemaRef(minimized) }),
      },
      ...errorRefs(...anytime),
    },
  };
}

function createOperation({ limits }: DescriptionContext, { name }: ObjectType, names: TypeNames): unknown {
  const [sent, answered] = [schemaRef(names.create), schemaRef(names.whole)];
  return {
    tags: [name],
    operationId: `create${name}`,
    summary: `Create a ${name}, or several`,
    description: `An array creates all of its objects or none, at most ${limits.arrayObjectsMax}.`,
    parameters: [parameterRef('idempotencyKey'), parameterRef('fieldsQuery'), parameterRef('fieldsHeader')],
    requestBody: {
      required: true,
      content: json({ anyOf: [sent, { type: 'array', items: sent, maxItems: limits.arrayObjectsMax }] }),
    },
    responses: {
      201: {
        description: `The new ${name}, whole, or as \`fields\` picks. An array is answered with an array, without \`Location\` and \`ETag\`.`,
        headers: headerRefs('Location', 'ETag', 'Vary'),
        content: json({ anyOf: [answered, { type: 'array', items: answered }] }),
      },
      ...errorRefs(...anytime, 409, 413, 415, 422),
    },
  };
}

function readOperation({ name }: ObjectType, { whole }: TypeNames): unknown {
  return {
    tags: [name],
    operationId: `get${name}`,
    summary: `Read one ${name}`,
    parameters: [parameterRef('fieldsQuery'), parameterRef('fieldsHeader'), parameterRef('ifNoneMatch')],
    responses: {
      200: wholeAnswer(name, whole),
      304: { description: 'It is as it was; there is no body.', headers: headerRefs('ETag', 'Vary') },
      ...errorRefs(...anytime, 404),
    },
  };
}

function changeOperation({ name }: ObjectType, { change, whole }: TypeNames): unknown {
  return {
    tags: [name],
    operationId: `change${name}`,
    summary: `Change a ${name}`,
    description:
      'Only what is sent changes. A collection that is sent becomes what is sent: an element without `key` is added, one with `key` is changed, one left out is removed.',
    parameters: [parameterRef('ifMatch'), parameterRef('fieldsQuery'), parameterRef('fieldsHeader')],
    requestBody: { required: true, content: json(schemaRef(change)) },
    responses: { 200: wholeAnswer(name, whole), ...errorRefs(...anytime, 404, 409, 412, 413, 415) },
  };
}

function deleteOperation({ name }: ObjectType): unknown {
  return {
    tags: [name],
    operationId: `delete${name}`,
    summary: `Delete a ${name}`,
    description: 'Its sub-objects go with it. Refused with 409 while another object refers to it.',
    parameters: [parameterRef('ifMatch')],
    responses: {
      204: { description: 'It is gone.', headers: headerRefs('Vary') },
      ...errorRefs(...anytime, 404, 409, 412),
    },
  };
}

function wholeAnswer(name: string, whole: string): unknown {
  return {
    description: `The ${name}, whole, or as \`fields\` picks.`,
    headers: headerRefs('ETag', 'Vary'),
    content: json(schemaRef(whole)),
  };
}

function json(schema: Schema): unknown {
  return { 'application/json': { schema } };
}
