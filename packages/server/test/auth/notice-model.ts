// A model file with types that callers see differently: one with attributes that came with later API versions, one of
// them for another edition, and one whose objects belong to users. Written to a folder of its own for the length of a
// test file.

import { mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

const noticeModel = {
  types: {
    Bulletin: {
      shownBy: ['title'],
      attributes: {
        title: { kind: 'text', maxLength: 40, isRequired: true },
        colour: { kind: 'code', values: ['RED', 'BLUE'], since: '3.9' },
        priority: { kind: 'integer', default: 3, since: '3.16' },
        vessel: { kind: 'reference', to: 'Vessel', since: '5.23' },
        layout: { kind: 'text', maxLength: 100, since: '5.24', edition: 'ENTERPRISE' },
        stamp: { kind: 'text', maxLength: 40, since: '6.44' },
        sponsor: { kind: 'reference', to: 'BusinessPartner', edition: 'ENTERPRISE' },
      },
    },
    BulletinLine: {
      attributes: {
        bulletin: { kind: 'owner', to: 'Bulletin', collection: 'bulletinLines', isRequired: true },
        text: { kind: 'text', maxLength: 40 },
        weight: { kind: 'decimal', since: '5.23' },
      },
    },
    Notice: {
      shownBy: ['title'],
      makesEvents: false,
      ownedBy: 'user',
      attributes: {
        title: { kind: 'text', maxLength: 40, isRequired: true },
        user: { kind: 'reference', to: 'ApiUser', isRequired: true, isFixed: true },
        answers: { kind: 'reference', to: 'Notice' },
      },
    },
  },
};

/** To be called at the top of a test file. Returns the setting that names it. */
export function useNoticeModel(): { FLAGHOIST_MODEL_FILE: string } {
  const folder = mkdtempSync(join(tmpdir(), 'flaghoist-model-'));
  const file = join(folder, 'model.json');
  writeFileSync(file, JSON.stringify(noticeModel));
  afterAll(() => rm(folder, { recursive: true, force: true }));
  return { FLAGHOIST_MODEL_FILE: file };
}
