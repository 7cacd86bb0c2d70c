// A model file whose attributes came with different API versions, and the validator for what is described of it.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, expect } from 'vitest';
import type { Document } from './api-document.ts';

/** Attribute → the version that it came with. */
const additions = {
  fleetRemark: '3.9',
  fleetName: '3.16',
  fleetRate: '5.23',
  fleetSheet: '5.24',
  fleetFlag: '6.10',
  fleetOwner: '6.44',
};

const model = {
  types: {
    Voyage: {
      attributes: {
        fleetRemark: { kind: 'text', since: additions.fleetRemark },
        fleetName: { kind: 'text', maxLength: 20, since: additions.fleetName },
        fleetRate: { kind: 'decimal', since: additions.fleetRate, description: 'What a day costs.' },
        fleetSheet: { kind: 'text', since: additions.fleetSheet, edition: 'ENTERPRISE' },
        fleetFlag: { kind: 'boolean', since: additions.fleetFlag, default: false },
        fleetOwner: { kind: 'reference', to: 'BusinessPartner', since: additions.fleetOwner },
      },
    },
  },
};

/** To be called at the top of a test file. The file is gone when the tests are done. */
export function useVersionedModel() {
  const folder = mkdtempSync(join(tmpdir(), 'flaghoist-model-'));
  const modelFile = join(folder, 'model.json');
  writeFileSync(modelFile, JSON.stringify(model));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return { modelFile, additions };
}

export async function expectValid(document: Document): Promise<void> {
  const { valid, errors } = await new Validator().validate(structuredClone(document) as never);
  expect([valid, errors]).toEqual([true, undefined]);
}
