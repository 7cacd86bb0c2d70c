// Many callers change the same thing at once: no change is half done, lost without a word, or done twice.

import { beforeAll, describe, expect, test } from 'vitest';
import { expectErrorBody } from '../support/error-body.ts';
import { create, createFleet, createVoyage, type Fleet, freshCode, type Shown } from '../support/fleet.ts';
import { type Answer, useTestService } from '../support/test-service.ts';
import { describeUnharmed } from './unharmed.ts';

const service = useTestService();
let fleet: Fleet;
beforeAll(async () => {
  fleet = await createFleet(service);
});

function many(count: number, send: (index: number) => Promise<Answer>): Promise<Answer[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => send(index)));
}

function statuses(answers: Answer[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

describe('100 changes of one object at once', () => {
  test('leave it as one of them left it, never mixed', async () => {
    const { key } = await create(service, 'Vessel', { vesselName: 'Contested' });
    const path = `/ws/rest/Vessel/${key}`;
    const answers = await many(100, (index) =>
      service.put(path, { flag: `F${index}`, vesselType: `F${index}`, builtYear: index }),
    );
    expect(statuses(answers)).toEqual({ 200: 100 });
    for (const { body } of answers) expect([body.vesselType, `F${body.builtYear}`]).toEqual([body.flag, body.flag]);
    const { body } = await service.get(path);
    expect([body.vesselType, `F${body.builtYear}`]).toEqual([body.flag, body.flag]);
  });

  test('with the same If-Match: one is done, the others are told', async () => {
    const { key } = await create(service, 'Vessel', { vesselName: 'Guarded' });
    const path = `/ws/rest/Vessel/${key}`;
    const etag = (await service.get(path)).headers.get('etag')!;
    const answers = await many(100, (index) => service.put(path, { flag: `F${index}` }, { 'if-match': etag }));
    expect(statuses(answers)).toEqual({ 200: 1, 412: 99 });
    for (const answer of answers) if (answer.status === 412) expectErrorBody(answer, 412);
    expect((await service.get(path)).body.flag).toBe(answers.find(({ status }) => status === 200)?.body.flag);
  });

  test('each with the state it has read, and again until it is done: none is lost', async () => {
    const { key } = await create(service, 'Vessel', { vesselName: 'Counted', builtYear: 0 });
    const path = `/ws/rest/Vessel/${key}`;
    await many(10, async () => {
      for (;;) {
        const read = await service.get(path);
        const headers = { 'if-match': read.headers.get('etag')! };
        const answer = await service.put(path, { builtYear: read.body.builtYear + 1 }, headers);
        if (answer.status === 200) return answer;
        expectErrorBody(answer, 412);
      }
    });
    expect((await service.get(path)).body.builtYear).toBe(10);
  });

  test('of its collection: it is always what one of them said', async () => {
    const voyage = await createVoyage(service, fleet);
    const answers = await many(40, (index) =>
      service.put(`/ws/rest/Voyage/${voyage.key}`, {
        portCalls: Array.from({ length: 3 }, () => ({ port: fleet.port.key, reasonForCall: 'L', speed: index })),
      }),
    );
    expect(statuses(answers)).toEqual({ 200: 40 });
    const { portCalls } = (await service.get(`/ws/rest/Voyage/${voyage.key}`)).body;
    expect([portCalls.length, new Set(portCalls.map(({ speed }: Shown) => speed)).size]).toEqual([3, 1]);
  });
});

describe('at once', () => {
  test('100 objects with the same code: one is made, the others are a 409', async () => {
    const unLoCode = freshCode('ZR', 5);
    const answers = await many(100, () => service.post('/ws/rest/Port', { unLoCode }));
    expect(statuses(answers)).toEqual({ 201: 1, 409: 99 });
    for (const answer of answers) if (answer.status === 409) expectErrorBody(answer, 409);
  });

  test('100 requests with the same Idempotency-Key: one object', async () => {
    const vesselName = `Single ${freshCode('S', 6)}`;
    const headers = { 'idempotency-key': freshCode('race-', 12) };
    const answers = await many(100, () => service.post('/ws/rest/Vessel', { vesselName }, headers));
    for (const answer of answers) if (answer.status !== 201) expectErrorBody(answer, 409);
    expect(new Set(answers.filter(({ status }) => status === 201).map(({ body }) => body.key)).size).toBe(1);
    expect((await service.get(`/ws/rest/Vessel?filter=vesselName(EQ)${vesselName}`)).body).toHaveLength(1);
  });

  test('100 deletes of one object: one is a 204, the others a 404', async () => {
    const { key } = await create(service, 'Vessel', { vesselName: 'Doomed' });
    const answers = await many(100, () => service.delete(`/ws/rest/Vessel/${key}`));
    expect(statuses(answers)).toEqual({ 204: 1, 404: 99 });
  });

  test('deletes of an object and references to it: whoever comes first, no reference leads nowhere', async () => {
    for (let round = 0; round < 10; round++) {
      const { key } = await create(service, 'Vessel', { vesselName: 'Wanted' });
      const [gone, ...voyages] = await Promise.all([
        service.delete(`/ws/rest/Vessel/${key}`),
        ...Array.from({ length: 5 }, () => service.post('/ws/rest/Voyage', { vessel: key })),
      ]);
      expect([204, 409]).toContain(gone.status);
      for (const voyage of voyages) if (voyage.status !== 201) expectErrorBody(voyage, 400);
      if (gone.status === 204) expect(voyages.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400]);
    }
  });

  test('changes in opposite order: deadlocks are ours to sort out', async () => {
    const [one, other] = [await createVoyage(service, fleet), await createVoyage(service, fleet)];
    const calls = [...one.portCalls, ...other.portCalls].map(({ key }: Shown) => key);
    const answers = await many(60, (index) => {
      const order = index % 2 === 0 ? calls : calls.toReversed();
      if (index % 3 === 0) return service.put(`/ws/rest/PortCall/${order[0]}`, { speed: index }, { 'if-match': '*' });
      const voyage = index % 2 === 0 ? one : other;
      const keys = voyage.portCalls.map(({ key }: Shown) => ({ key, speed: index }));
      return service.put(`/ws/rest/Voyage/${voyage.key}`, { portCalls: index % 4 === 1 ? keys.toReversed() : keys });
    });
    expect(statuses(answers)).toEqual({ 200: 60 });
  });
});

describeUnharmed(service);
