// The types Document, DocumentLine and Remarks with its attachments, and the rules that apply
// only to remarks.

import { beforeAll, describe, expect, test } from 'vitest';
import { eventNamesDuring } from '../../support/events-written.ts';
import { create, createFleet, createVoyage, type Fleet, read, type Shown } from '../../support/fleet.ts';
import { anyLength, testRow } from '../../support/object-row.ts';
import { useTestService } from '../../support/test-service.ts';

const service = useTestService();
let fleet: Fleet;
let voyage: Shown;
let document: Shown;
let remark: Shown;
beforeAll(async () => {
  fleet = await createFleet(service);
  voyage = await createVoyage(service, fleet);
  document = await create(service, 'Document', { documentType: 'INO', company: fleet.partner.key });
  remark = await create(service, 'Remarks', { source: fleet.vessel.key });
});

testRow(service, {
  resource: 'Document',
  least: () => ({ documentType: 'INO', company: fleet.partner.key }),
  mandatory: ['documentType', 'company'],
  texts: { documentNo: 32, documentText: 512, externalDocumentNo: 64 },
  codes: { documentType: ['INI', 'INO', 'CRI', 'CRO', 'ACC', 'ACP'], invoicingStatus: ['PEN', 'RFP', 'PST'] },
  decimals: ['documentAmount', 'vat'],
  references: {
    company: { to: 'BusinessPartner', target: () => fleet.partner },
    businessPartner: { to: 'BusinessPartner', target: () => fleet.partner },
    voyage: { to: 'Voyage', target: () => voyage },
    currency: { to: 'Currency', target: () => fleet.currency },
  },
  collections: ['documentLines'],
});

testRow(service, {
  resource: 'DocumentLine',
  least: () => ({ document: document.key }),
  mandatory: ['document'],
  texts: { lineText: 256 },
  decimals: ['amount', 'quantity'],
  references: {
    document: { to: 'Document', target: () => document },
    voyage: { to: 'Voyage', target: () => voyage },
  },
});

testRow(service, {
  resource: 'Remarks',
  least: () => ({ source: fleet.vessel.key }),
  mandatory: ['source'],
  texts: { remarkTitle: 128, remarkText: anyLength },
  collections: ['attachments'],
  special: ['source'],
});

testRow(service, {
  resource: 'Attachment',
  least: () => ({ remarks: remark.key, fileName: 'a.txt', file: 'aGVsbG8=' }),
  mandatory: ['remarks', 'fileName', 'file'],
  texts: { fileName: anyLength },
  references: { remarks: { to: 'Remarks', target: () => remark } },
});

describe('Remarks.source', () => {
  test('is the key of the object it is about, whatever its type', async () => {
    const voyage = await createVoyage(service, fleet);
    for (const object of [...Object.values(fleet), voyage, ...voyage.portCalls])
      expect((await create(service, 'Remarks', { source: object.key })).source).toBe(object.key);
  });

  test.each([999_999_999, 0, -1, 'text', null, 1.5])('is a 400 if the object does not exist: %s', async (source) => {
    const answer = await service.post('/ws/rest/Remarks', { source });
    expect(answer.body).toMatchObject({ statusCode: 400, violations: [{ path: 'source' }] });
  });
});

describe('remarks', () => {
  async function remarked(): Promise<{ vessel: Shown; remarks: Shown }> {
    const vessel = await create(service, 'Vessel', { vesselName: 'Remarked' });
    const attachments = [{ fileName: 'b.bin', file: 'AAECAw==' }];
    const remarks = await create(service, 'Remarks', { source: vessel.key, remarkTitle: 'Note', attachments });
    return { vessel, remarks };
  }

  test('are never notified: writes to them or to their attachments create no event', async () => {
    const events = await eventNamesDuring(service, async () => {
      const { key, attachments } = await create(service, 'Remarks', {
        source: fleet.vessel.key,
        attachments: [{ fileName: 'a', file: '' }],
      });
      await service.put(`/ws/rest/Remarks/${key}`, { remarkTitle: 'Changed' });
      await service.put(`/ws/rest/Attachment/${attachments[0].key}`, { fileName: 'changed' });
      await service.post('/ws/rest/Attachment', { remarks: key, fileName: 'b', file: '' });
      expect((await service.delete(`/ws/rest/Remarks/${key}`)).status).toBe(204);
    });
    expect(events).toEqual([]);
  });

  test('are not part of a hierarchy: they do not change the state of their object', async () => {
    const { vessel, remarks } = await remarked();
    const etag = async () => (await service.get(`/ws/rest/Vessel/${vessel.key}`)).headers.get('etag');
    const before = await etag();
    await service.put(`/ws/rest/Remarks/${remarks.key}`, { remarkText: 'More' });
    expect(await etag()).toBe(before);
  });

  test('are deleted with their object, with their attachments, and never block it', async () => {
    const { vessel, remarks } = await remarked();
    const events = await eventNamesDuring(service, async () => {
      expect((await service.delete(`/ws/rest/Vessel/${vessel.key}`)).status).toBe(204);
    });
    expect(events).toEqual([`Vessel.D.${vessel.key}`]);
    expect((await service.get(`/ws/rest/Remarks/${remarks.key}`)).status).toBe(404);
    expect((await service.get(`/ws/rest/Attachment/${remarks.attachments[0].key}`)).status).toBe(404);
  });

  test('of a sub-object are deleted when its owner is deleted', async () => {
    const { key, portCalls } = await createVoyage(service, fleet);
    const remarks = await create(service, 'Remarks', { source: portCalls[0].key });
    await service.delete(`/ws/rest/Voyage/${key}`);
    expect((await service.get(`/ws/rest/Remarks/${remarks.key}`)).status).toBe(404);
  });

  test('are on every object, shown only by fields', async () => {
    const { vessel, remarks } = await remarked();
    expect(await read(service, 'Vessel', vessel.key)).not.toHaveProperty('remarks');
    const { body } = await service.get(`/ws/rest/Vessel/${vessel.key}`, { fields: '{"remarks":"*"}' });
    expect(body.remarks).toMatchObject([{ key: remarks.key, remarkTitle: 'Note', source: vessel.key }]);
    const voyage = await createVoyage(service, fleet);
    for (const { self } of [...Object.values(fleet), voyage, ...voyage.portCalls]) {
      const { pathname } = new URL(self);
      const shown: Shown = (await service.get(pathname, { fields: '{"remarks":{"remarkTitle":"*"}}' })).body;
      expect(Array.isArray(shown.remarks)).toBe(true);
    }
  });

  test('are written at their own resource: inside their object they are a 400, never silently ignored', async () => {
    const remarks = [{ remarkTitle: 'Lost?' }];
    for (const answer of [
      await service.post('/ws/rest/Vessel', { vesselName: 'x', remarks }),
      await service.put(`/ws/rest/Vessel/${fleet.vessel.key}`, { remarks }),
    ])
      expect(answer.body).toMatchObject({ statusCode: 400, violations: [{ path: 'remarks' }] });
  });
});

describe('Attachment.file', () => {
  const file = Buffer.from(Array.from({ length: 300 }, (_, index) => index % 256)).toString('base64');

  test('is Base64, read back as it was written, and shown only by fields', async () => {
    const attachment = await create(service, 'Attachment', { remarks: remark.key, fileName: 'bytes', file });
    expect(attachment).not.toHaveProperty('file');
    const path = `/ws/rest/Attachment/${attachment.key}`;
    expect((await service.get(path, { fields: '{"file":"*"}' })).body.file).toBe(file);
    const { body } = await service.get(`/ws/rest/Remarks/${remark.key}`, {
      fields: '{"attachments":{"fileName":"*","file":"*"}}',
    });
    expect(body.attachments.at(-1)).toMatchObject({ fileName: 'bytes', file });
    expect((await service.get(`/ws/rest/Attachment?filter=key(EQ)${attachment.key}`)).text).not.toContain(file);
  });

  test.each(['no base64!', 'aGVsbG8', 'aGVs bG8=', 'aGVsbG8=\n', 'aGVsbG-_', 5, null, {}])(
    'that is not Base64 is a 400: %s',
    async (bad) => {
      const answer = await service.post('/ws/rest/Attachment', { remarks: remark.key, fileName: 'x', file: bad });
      expect(answer.body).toMatchObject({ statusCode: 400, violations: [{ path: 'file' }] });
    },
  );

  test('may make a body larger than 1 MB, up to 16 MB', async () => {
    const large = Buffer.alloc(3_000_000).toString('base64');
    const { key } = await create(service, 'Remarks', {
      source: fleet.vessel.key,
      attachments: [{ fileName: 'large', file: large }],
    });
    const { body } = await service.get(`/ws/rest/Remarks/${key}`, { fields: '{"attachments":{"file":"*"}}' });
    expect(body.attachments[0].file.length).toBe(large.length);
    const tooLarge = { remarks: key, fileName: 'huge', file: 'A'.repeat(16 * 1024 * 1024) };
    expect((await service.post('/ws/rest/Attachment', tooLarge)).status).toBe(413);
  });
});
