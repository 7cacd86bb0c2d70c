// Describes `/ws/rest/{Resource}` and `/ws/rest/{Resource}/{key}` of every type: the input and the responses of each
// method.

import type { ObjectType } from '../../../model/object-type.ts';
import { batchName, restPath } from '../../../paths.ts';
import { type DescriptionContext, namesOf } from '../description-context.ts';
import { jsonContent, schemaRef } from '../json-schema.ts';
import { parameterRefs } from '../parameters.ts';
import { errorRefs } from './error-responses.ts';
import { answerHeaders, anytime, operationHead, type Subject } from './resource-operation.ts';

export function objectPaths(context: DescriptionContext, type: ObjectType): Record<string, unknown> {
  const { name, access, isCreatedByService } = type;
  const reading: Subject = { context, type, scope: access.read };
  const changing = access.write !== 'nobody' && { context, type, scope: access.write };
  const creating = !isCreatedByService && changing;
  return {
    [`${restPath}/${name}`]: {
      parameters: parameterRefs('apiVersion'),
      get: listOperation(reading),
      ...(creating && { post: createOperation(creating) }),
    },
    ...(creating && {
      [`${restPath}/${name}/${batchName}`]: {
        parameters: parameterRefs('apiVersion'),
        post: batchOperation(creating),
      },
    }),
    [`${restPath}/${name}/{key}`]: {
      parameters: parameterRefs('key', 'apiVersion'),
      get: readOperation(reading),
      ...(changing && { put: changeOperation(changing) }),
      ...(creating && { delete: deleteOperation(creating) }),
    },
  };
}

const fields = ['fieldsQuery', 'fieldsHeader'] as const;
const listParameters = ['filter', 'sort', 'pageNumber', 'limit', 'after'] as const;

function listOperation(subject: Subject): unknown {
  const { name } = subject.type;
  const { plural, minimized } = namesOf(subject.context, subject.type);
  return {
    ...operationHead(subject, { operationId: `list${plural}`, summary: `List ${name} objects` }),
    parameters: parameterRefs(...listParameters, ...fields, 'noCount'),
    responses: {
      200: {
        description: `The ${name} objects that match, minimized, or as \`fields\` selects.`,
        headers: answerHeaders(subject, 'totalObjectsNumber', 'Link', 'Vary'),
        content: jsonContent({ type: 'array', items: schemaRef(minimized) }),
      },
      ...errorRefs(...anytime),
    },
  };
}

function createOperation(subject: Subject): unknown {
  const { context, type } = subject;
  const { name } = type;
  const names = namesOf(context, type);
  const description = `An array of objects is accepted as well, and is answered as by \`${batchName}\`.`;
  return {
    ...operationHead(subject, { operationId: `create${name}`, summary: `Create a ${name}`, description }),
    parameters: parameterRefs('idempotencyKey', ...fields),
    requestBody: { required: true, content: jsonContent(schemaRef(names.create)) },
    responses: {
      201: {
        description: `The new ${name}, whole, or as \`fields\` selects.`,
        headers: answerHeaders(subject, 'Location', 'ETag', 'Vary', ...cacheControlOf(type)),
        content: jsonContent(schemaRef(names.created)),
      },
      ...errorRefs(...anytime, 409, 413, 415, 422),
    },
  };
}

/** An operation of its own, because one operation with two forms of request and response has no useful type. */
function batchOperation(subject: Subject): unknown {
  const { context, type } = subject;
  const { name } = type;
  const names = namesOf(context, type);
  const { arrayObjectsMax } = context.settings;
  const operationId = `create${names.plural === name ? `${name}List` : names.plural}`;
  const description = `Creates all objects of the array, or none. At most ${arrayObjectsMax} of them.`;
  return {
    ...operationHead(subject, { operationId, summary: `Create several ${name} objects`, description }),
    parameters: parameterRefs('idempotencyKey', ...fields),
    requestBody: {
      required: true,
      content: jsonContent({ type: 'array', items: schemaRef(names.create), maxItems: arrayObjectsMax }),
    },
    responses: {
      201: {
        description: `The new ${name} objects in the order of the request, whole, or as \`fields\` selects.`,
        headers: answerHeaders(subject, 'Vary', ...cacheControlOf(type)),
        content: jsonContent({ type: 'array', items: schemaRef(names.created) }),
      },
      ...errorRefs(...anytime, 409, 413, 415, 422),
    },
  };
}

function cacheControlOf({ shownOnce }: ObjectType): 'Cache-Control'[] {
  return shownOnce.length > 0 ? ['Cache-Control'] : [];
}

function readOperation(subject: Subject): unknown {
  const { name } = subject.type;
  return {
    ...operationHead(subject, { operationId: `get${name}`, summary: `Read one ${name}` }),
    parameters: parameterRefs(...fields, 'ifNoneMatch'),
    responses: {
      200: wholeResponse(subject),
      304: {
        description: 'The object has not changed. The response has no body.',
        headers: answerHeaders(subject, 'ETag', 'Vary'),
      },
      ...errorRefs(...anytime, 404),
    },
  };
}

function changeOperation(subject: Subject): unknown {
  const { name } = subject.type;
  const description =
    'Only the attributes in the body change. A collection in the body replaces the stored one: an element ' +
    'without `key` is added, one with `key` is changed, an omitted one is removed.';
  return {
    ...operationHead(subject, { operationId: `update${name}`, summary: `Change a ${name}`, description }),
    parameters: parameterRefs('ifMatch', ...fields),
    requestBody: { required: true, content: jsonContent(schemaRef(namesOf(subject.context, subject.type).change)) },
    responses: { 200: wholeResponse(subject), ...errorRefs(...anytime, 404, 409, 412, 413, 415) },
  };
}

function deleteOperation(subject: Subject): unknown {
  const { name } = subject.type;
  const description = 'Deletes its sub-objects too. Rejected with 409 while another object refers to it.';
  return {
    ...operationHead(subject, { operationId: `delete${name}`, summary: `Delete a ${name}`, description }),
    parameters: parameterRefs('ifMatch'),
    responses: {
      204: { description: 'The object was deleted.', headers: answerHeaders(subject, 'Vary') },
      ...errorRefs(...anytime, 404, 409, 412),
    },
  };
}

function wholeResponse(subject: Subject): unknown {
  const { context, type } = subject;
  return {
    description: `The ${type.name}, whole, or as \`fields\` selects.`,
    headers: answerHeaders(subject, 'ETag', 'Vary'),
    content: jsonContent(schemaRef(namesOf(context, type).whole)),
  };
}
