// Describes `/ws/rest/{Resource}` and `/ws/rest/{Resource}/{key}` of every type: the input and the responses of each
// method.

import type { ObjectType } from '../../model/object-type.ts';
import { restPath } from '../../paths.ts';
import { type DescriptionContext, namesOf } from './description-context.ts';
import { errorRefs } from './error-responses.ts';
import { jsonContent, schemaRef } from './json-schema.ts';
import { headerRefs, parameterRefs } from './parameters.ts';
import { anytime, headOf, type Subject } from './resource-operation.ts';

export function objectPaths(context: DescriptionContext, type: ObjectType): Record<string, unknown> {
  const { read, write } = type.access;
  const { isCreatedByService } = type;
  const reading: Subject = { context, type, scope: read };
  const writing: Subject | undefined = write === 'nobody' ? undefined : { context, type, scope: write };
  return {
    [`${restPath}/${type.name}`]: {
      parameters: parameterRefs('apiVersion'),
      get: listOperation(reading),
      ...(writing && !isCreatedByService ? { post: createOperation(writing) } : {}),
    },
    [`${restPath}/${type.name}/{key}`]: {
      parameters: parameterRefs('key', 'apiVersion'),
      get: readOperation(reading),
      ...(writing ? { put: changeOperation(writing) } : {}),
      ...(writing && !isCreatedByService ? { delete: deleteOperation(writing) } : {}),
    },
  };
}

const fields = ['fieldsQuery', 'fieldsHeader'] as const;
const listParameters = ['filter', 'sort', 'pageNumber', 'limit', 'after'] as const;

function listOperation(subject: Subject): unknown {
  const { name } = subject.type;
  const { plural, minimized } = namesOf(subject.context, subject.type);
  return {
    ...headOf(subject, { operationId: `list${plural}`, summary: `List ${name} objects` }),
    parameters: parameterRefs(...listParameters, ...fields, 'noCount'),
    responses: {
      200: {
        description: `The ${name} objects that match, minimized, or as \`fields\` selects.`,
        headers: headerRefs('totalObjectsNumber', 'Link', 'Vary'),
        content: jsonContent({ type: 'array', items: schemaRef(minimized) }),
      },
      ...errorRefs(...anytime),
    },
  };
}

function createOperation(subject: Subject): unknown {
  const { context, type } = subject;
  const { name, shownOnce } = type;
  const names = namesOf(context, type);
  const { arrayObjectsMax } = context.limits;
  const [request, response] = [schemaRef(names.create), schemaRef(names.created)];
  const description = `An array of at most ${arrayObjectsMax} objects creates all of them or none.`;
  return {
    ...headOf(subject, { operationId: `create${name}`, summary: `Create a ${name}, or several`, description }),
    parameters: parameterRefs('idempotencyKey', ...fields),
    requestBody: {
      required: true,
      content: jsonContent({ anyOf: [request, { type: 'array', items: request, maxItems: arrayObjectsMax }] }),
    },
    responses: {
      201: {
        description:
          `The new ${name}, whole, or as \`fields\` selects. For an array, the response is an array, without ` +
          `\`Location\` and \`ETag\`.`,
        headers: headerRefs('Location', 'ETag', 'Vary', ...(shownOnce.length > 0 ? (['Cache-Control'] as const) : [])),
        content: jsonContent({ anyOf: [response, { type: 'array', items: response }] }),
      },
      ...errorRefs(...anytime, 409, 413, 415, 422),
    },
  };
}

function readOperation(subject: Subject): unknown {
  const { name } = subject.type;
  return {
    ...headOf(subject, { operationId: `get${name}`, summary: `Read one ${name}` }),
    parameters: parameterRefs(...fields, 'ifNoneMatch'),
    responses: {
      200: wholeResponse(subject),
      304: {
        description: 'The object has not changed. The response has no body.',
        headers: headerRefs('ETag', 'Vary'),
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
    ...headOf(subject, { operationId: `change${name}`, summary: `Change a ${name}`, description }),
    parameters: parameterRefs('ifMatch', ...fields),
    requestBody: { required: true, content: jsonContent(schemaRef(namesOf(subject.context, subject.type).change)) },
    responses: { 200: wholeResponse(subject), ...errorRefs(...anytime, 404, 409, 412, 413, 415) },
  };
}

function deleteOperation(subject: Subject): unknown {
  const { name } = subject.type;
  const description = 'Deletes its sub-objects too. Rejected with 409 while another object refers to it.';
  return {
    ...headOf(subject, { operationId: `delete${name}`, summary: `Delete a ${name}`, description }),
    parameters: parameterRefs('ifMatch'),
    responses: {
      204: { description: 'The object was deleted.', headers: headerRefs('Vary') },
      ...errorRefs(...anytime, 404, 409, 412),
    },
  };
}

function wholeResponse({ context, type }: Subject): unknown {
  return {
    description: `The ${type.name}, whole, or as \`fields\` selects.`,
    headers: headerRefs('ETag', 'Vary'),
    content: jsonContent(schemaRef(namesOf(context, type).whole)),
  };
}
