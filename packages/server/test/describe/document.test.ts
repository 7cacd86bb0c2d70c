// The API description itself: valid, complete, and built from the model.

import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, test } from 'vitest';
import { buildOpenApi } from '../../src/describe/build-openapi.ts';
import { errorTable } from '../../src/errors.ts';
import { buildModel } from '../../src/model/build-model.ts';
import { catalogue } from '../../src/model/catalogue/catalogue.ts';
import { extendCatalogue } from '../../src/model/model-file/read-model-file.ts';
import { useTestService } from '../support/test-service.ts';
import { type Document, follow, operationsOf } from './api-document.ts';
import { openSchemas } from './check-answer.ts';
import { descriptionOptions } from './description-options.ts';

const model = buildModel(catalogue);
const document = describeModel();

function describeModel(described = model): Document {
  return JSON.parse(JSON.stringify(buildOpenApi(described, descriptionOptions))) as Document;
}

describe('the document', () => {
  test('passes a third-party validator of OpenAPI 3.1', async () => {
    const { valid, errors } = await new Validator().validate(structuredClone(document) as never);
    expect(errors).toBeUndefined();
    expect(valid).toBe(true);
  });

  test('has no broken references', () => {
    const references = JSON.stringify(document).match(/"#\/[^"]+"/g) ?? [];
    expect(references.length).toBeGreaterThan(500);
    for (const reference of new Set(references)) follow(document, { $ref: JSON.parse(reference) as string });
  });

  test('gives every operation a unique id', () => {
    const ids = operationsOf(document).map(({ node }) => node.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toEqual(
      expect.arrayContaining(['listVoyages', 'getVoyage', 'createVoyage', 'updateVoyage', 'deleteVoyage']),
    );
  });

  test('has both resources of every type, and no write methods for a read-only type', () => {
    for (const { name, access, isCreatedByService } of model.types.values()) {
      const isWritten = access.write !== 'nobody';
      const isCreatable = isWritten && !isCreatedByService;
      expect(Object.keys(document.paths[`/ws/rest/${name}`] ?? {})).toEqual([
        'parameters',
        'get',
        ...(isCreatable ? ['post'] : []),
      ]);
      expect(Object.keys(document.paths[`/ws/rest/${name}/batch`] ?? {})).toEqual(
        isCreatable ? ['parameters', 'post'] : [],
      );
      expect(Object.keys(document.paths[`/ws/rest/${name}/{key}`] ?? {})).toEqual([
        'parameters',
        'get',
        ...(isWritten ? ['put'] : []),
        ...(isCreatable ? ['delete'] : []),
      ]);
    }
    expect(model.types.get('AuditLog')?.access.write).toBe('nobody');
    expect(document.components.schemas).not.toHaveProperty('AuditLogCreate');
  });

  test('has every action, with its request and response', () => {
    const path = document.paths['/ws/rest/ApiClient/{key}/rotateSecret'];
    expect(Object.keys(path ?? {})).toEqual(['parameters', 'post']);
    expect(path?.post?.requestBody).toMatchObject({ required: false });
    const { ApiClientRotateSecretRequest: taken, ApiClientRotateSecretAnswer: answered } = document.components.schemas;
    expect(taken?.properties?.graceSeconds).toMatchObject({
      type: 'integer',
      minimum: 0,
      maximum: 2_592_000,
    });
    expect(taken?.properties?.graceSeconds?.description).toMatch(/Default `86400`\.$/);
    expect(taken?.additionalProperties).toBe(false);
    expect(answered?.required).toEqual(['clientId', 'clientSecret', 'previousSecretExpiresDate']);
  });

  test('has an attribute that is shown once only in the response to the create', () => {
    const { schemas } = document.components;
    expect(schemas.ApiClientCreated?.properties?.clientSecret).toMatchObject({ type: 'string', readOnly: true });
    const others = Object.entries(schemas).filter(([, { properties }]) => properties && 'clientSecret' in properties);
    const shown = others.filter(([, { properties }]) => !properties?.clientSecret?.writeOnly);
    expect(shown.map(([name]) => name)).toEqual(['ApiClientCreated', 'ApiClientRotateSecretAnswer']);
    const users = Object.entries(document.paths).filter(([, item]) =>
      JSON.stringify(item).includes('ApiClientCreated'),
    );
    expect(users.map(([path]) => path)).toEqual(['/ws/rest/ApiClient', '/ws/rest/ApiClient/batch']);
    expect(JSON.stringify(document)).not.toMatch(/secretHash/i);
  });

  test('documents every error of the service, with an example, but those of the session of the console', () => {
    const ofConsole = ['signInFailed', 'sessionEnded', 'notFromConsole', 'issuerFault'];
    const examples = Object.values(document.components.responses).flatMap(({ content }) =>
      Object.keys(content?.['application/json']?.examples ?? {}),
    );
    // No described request is one that its resource does not support.
    const described = Object.keys(errorTable).filter(
      (code) => code !== 'methodNotAllowed' && !ofConsole.includes(code),
    );
    expect(examples.toSorted()).toEqual(described.toSorted());
  });

  test('has a description for every schema and attribute', () => {
    for (const [name, schema] of Object.entries(document.components.schemas)) {
      expect(schema.description, name).toBeTruthy();
      for (const [property, { description, $ref }] of Object.entries(schema.properties ?? {}))
        expect(description ?? $ref, `${name}.${property}`).toBeTruthy();
    }
  });

  test('has only examples that match their schemas', { timeout: 120_000 }, () => {
    const ajv = openSchemas(document);
    let count = 0;
    for (const [name, schema] of Object.entries(document.components.schemas)) {
      const validate = ajv.compile({ $ref: `document#/components/schemas/${name}` });
      for (const example of schema.examples ?? []) {
        expect(validate(example), `${name}: ${ajv.errorsText(validate.errors)}`).toBe(true);
        count += 1;
      }
    }
    expect(count).toBeGreaterThan(model.types.size * 5);
    for (const [name, { content }] of Object.entries(document.components.responses)) {
      const validate = ajv.compile({ $ref: 'document#/components/schemas/ErrorBody' });
      for (const { value } of Object.values(content?.['application/json']?.examples ?? {}))
        expect(validate(value), `${name}: ${ajv.errorsText(validate.errors)}`).toBe(true);
    }
  });

  test('requires only key and self in responses, because fields can omit the rest', () => {
    const { schemas } = document.components;
    const shown = Object.values(schemas).filter(
      (schema) => schema['x-flaghoist-type'] ?? schema['x-flaghoist-minimized'] ?? schema['x-flaghoist-reference'],
    );
    expect(shown.length).toBeGreaterThan(model.types.size * 2);
    for (const { required } of shown) expect(required).toEqual(['key', 'self']);
  });

  test('allows no additional properties in requests, because an unknown attribute is an error', () => {
    const written = [...model.types.values()].filter(({ access }) => access.write !== 'nobody');
    for (const { name, isCreatedByService } of written) {
      expect(document.components.schemas[`${name}Change`]?.additionalProperties).toBe(false);
      if (isCreatedByService) continue;
      const create = document.components.schemas[`${name}Create`]!;
      const created = create.allOf ? follow(document, create.allOf[0]!) : create;
      expect(created.additionalProperties).toBe(false);
    }
  });

  test('marks what the service sets as read-only', () => {
    const { properties = {} } = document.components.schemas.Voyage!;
    const readOnly = Object.keys(properties).filter((name) => properties[name]?.readOnly);
    expect(readOnly).toEqual([
      'key',
      'self',
      'createdDate',
      'modifiedDate',
      'createdById',
      'changedById',
      'referenceNo',
      'remarks',
    ]);
  });
});

describe("an operator's model", () => {
  const file = {
    types: {
      Certificate: {
        description: 'A certificate of a vessel.',
        attributes: {
          certificateNo: { kind: 'text', maxLength: 20, isRequired: true, example: 'SMC-1' },
          vessel: { kind: 'owner', to: 'Vessel', collection: 'certificates', isRequired: true },
        },
      },
      Voyage: { attributes: { charterRate: { kind: 'decimal', description: 'What a day costs.' } } },
      VoyageCreate: { attributes: { listName: { kind: 'text' } } },
      ErrorBody: { attributes: { text: { kind: 'text' } } },
      TokenAnswer: { attributes: { text: { kind: 'text' } } },
      ExpressionEvaluation: { attributes: { text: { kind: 'text' } } },
      ApiClientCreated: { attributes: { text: { kind: 'text' } } },
      Token: { attributes: { text: { kind: 'text' } } },
      Voyages: { attributes: { note: { kind: 'text' } } },
      Changes: { attributes: { note: { kind: 'text' } } },
      ReadChangesAnswer: { attributes: { note: { kind: 'text' } } },
    },
  };
  const described = describeModel(buildModel(extendCatalogue(JSON.stringify(file), 'model.json')));

  test('is described like the built-in one', () => {
    const { schemas } = described.components;
    expect(schemas.Voyage?.properties?.charterRate?.description).toBe('What a day costs.');
    expect(schemas.Vessel?.properties?.certificates?.items).toEqual({
      $ref: '#/components/schemas/CertificateMinimized',
    });
    expect(schemas.CertificateElementCreate?.required).toEqual(['certificateNo']);
    expect(described.paths['/ws/rest/Certificate/{key}']?.put?.operationId).toBe('updateCertificate');
  });

  test('may use the names of our own schemas, and every id stays unique', async () => {
    const { schemas } = described.components;
    expect(schemas.VoyageCreate?.properties).toHaveProperty('listName');
    expect(schemas.VoyageCreate_?.properties).toHaveProperty('voyageStatus');
    expect(schemas.ErrorBody?.properties).toHaveProperty('text');
    expect(schemas.ErrorBody_?.properties).toHaveProperty('statusCode');
    expect(schemas.ExpressionEvaluation_?.properties?.children?.items).toEqual({
      $ref: '#/components/schemas/ExpressionEvaluation_',
    });
    expect(schemas.TokenAnswer_?.properties).toHaveProperty('access_token');
    expect(schemas.ApiClientCreated_?.properties).toHaveProperty('clientSecret');
    expect(schemas.ReadChangesAnswer_?.properties).toHaveProperty('changes');
    const ids = operationsOf(described).map(({ node }) => node.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    expect((await new Validator().validate(structuredClone(described) as never)).valid).toBe(true);
  });
});

describe('GET /openapi.json', () => {
  const service = useTestService();

  test('returns the document of this service, and 304 if the ETag matches', async () => {
    const answer = await service.get('/openapi.json');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(answer.headers.get('cache-control')).toBe('public, max-age=60');
    expect(answer.body.servers).toEqual([{ url: service.url() }]);
    expect(Object.keys(answer.body.paths)).toEqual(Object.keys(document.paths));
    const again = await service.get('/openapi.json', { 'if-none-match': answer.headers.get('etag') ?? '' });
    expect(again.status).toBe(304);
    expect(again.text).toBe('');
  });

  test('an attribute that the document does not have is a 400, for every type', async () => {
    for (const { name, access, isCreatedByService } of model.types.values()) {
      if (access.write === 'nobody' || isCreatedByService) continue;
      const answer = await service.post(`/ws/rest/${name}`, { noSuch: 1 });
      expect(answer.status).toBe(400);
      expect(answer.body.violations).toContainEqual(expect.objectContaining({ path: 'noSuch' }));
    }
  });
});
