// The descriptions of all API versions pass a validator. What is in them: versions.test.ts.

import { expect, test } from 'vitest';
import { versionTable } from '../../src/model/api-versions.ts';
import { useTestService } from '../support/test-service.ts';
import type { Document } from './api-document.ts';
import { expectValid, useVersionedModel } from './versioned-model.ts';

const { modelFile } = useVersionedModel();
const service = useTestService({ FLAGHOIST_MODEL_FILE: modelFile });

test.each(versionTable.map(({ version }) => version))(
  'the description of %s passes a validator of OpenAPI 3.1',
  async (version) => {
    const { status, body } = await service.get(`/openapi.json?version=${version}`);
    expect(status).toBe(200);
    await expectValid(body as Document);
  },
);
