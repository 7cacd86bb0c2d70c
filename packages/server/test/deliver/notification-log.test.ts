// The log shows the sequence and the exact time of each change. Lists can be filtered and sorted by them.

import { expect, test } from 'vitest';
import { heardBy, subscribe } from '../match/heard.ts';
import { create, type Shown } from '../support/fleet.ts';
import { useTestService } from '../support/test-service.ts';

const service = useTestService();
const log = '/ws/rest/WebhookNotification';

/** The envelopes of three changes, oldest first, and how the log of their subscription is read. */
async function notify() {
  const vessel = await create(service, 'Vessel', { vesselName: 'Ærø' });
  const subscription = await subscribe(service, { eventType: `Vessel.U.${vessel.key}` });
  for (const flag of ['NO', 'DK', 'SE']) await service.put(`/ws/rest/Vessel/${vessel.key}`, { flag });
  const heard = await heardBy(service, subscription);
  expect(heard).toHaveLength(3);
  const sent: Shown[] = heard.map(({ body }) => body).sort((a, b) => a.sequence - b.sequence);
  const list = async (query: string): Promise<Shown[]> => {
    const answer = await service.get(`${log}?filter=subscription(EQ)${subscription}&${query}`);
    expect(answer.status, answer.text).toBe(200);
    return answer.body;
  };
  return { subscription, sent, list };
}

test('each notification shows the sequence and the time of its envelope', async () => {
  const { sent, list } = await notify();
  const shown = await list('sort=key(AS)');
  expect(shown.map(({ id, sequence, occurredAt, eventTime }) => ({ id, sequence, occurredAt, eventTime }))).toEqual(
    sent
      .map(({ id, sequence, occurredAt, eventTime }) => ({ id, sequence, occurredAt, eventTime }))
      .sort((a, b) => Number(a.id.split('-')[1]) - Number(b.id.split('-')[1])),
  );
  for (const { id, sequence, occurredAt, eventTime } of shown) {
    expect(String(sequence)).toBe(id.split('-')[0]);
    expect(occurredAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
    expect(occurredAt.startsWith(eventTime)).toBe(true);
  }
});

test('a list can be sorted by either, page by page', async () => {
  const { subscription, sent, list } = await notify();
  const sequences = sent.map(({ sequence }) => sequence);
  for (const sort of ['sequence(AS)', 'occurredAt(AS)']) {
    const found: number[] = [];
    let path: string | undefined = `${log}?filter=subscription(EQ)${subscription}&sort=${sort}&limit=1`;
    while (path !== undefined) {
      const answer = await service.get(path);
      expect(answer.status, answer.text).toBe(200);
      found.push(...answer.body.map(({ sequence }: Shown) => sequence));
      const next = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1];
      path = next?.slice(next.indexOf('/ws/rest'));
    }
    expect(found).toEqual(sequences);
  }
  expect((await list('sort=sequence(DS)')).map(({ sequence }) => sequence)).toEqual(sequences.toReversed());
});

test('a list can be filtered by either, to the microsecond', async () => {
  const { sent, list } = await notify();
  const [first, second] = sent;
  const found = async (filter: string) => (await list(`sort=sequence(AS)&filter=${filter}`)).map(({ id }) => id);
  expect(await found(`sequence(GT)${first.sequence}`)).toEqual(sent.slice(1).map(({ id }) => id));
  expect(await found(`sequence(EQ)${second.sequence}`)).toEqual([second.id]);
  expect(await found(`occurredAt(GT)${first.occurredAt}`)).toEqual(sent.slice(1).map(({ id }) => id));
  expect(await found(`occurredAt(EQ)${second.occurredAt}`)).toEqual([second.id]);
  expect(await found(`occurredAt(LTE)${second.occurredAt}`)).toEqual(sent.slice(0, 2).map(({ id }) => id));
  for (const wrong of ['sequence(EQ)many', 'occurredAt(GT)yesterday']) {
    const answer = await service.get(`${log}?filter=${wrong}`);
    expect([answer.status, answer.body.message]).toEqual([400, expect.stringMatching(/many|yesterday/)]);
  }
});

test('fields selects them, and what has changed', async () => {
  const { sent, list } = await notify();
  const [, second] = sent;
  const [shown] = await list(
    `filter=sequence(EQ)${second.sequence}&fields={"sequence":"*","occurredAt":"*","changes":"*"}`,
  );
  expect(shown).toMatchObject({
    sequence: second.sequence,
    occurredAt: second.occurredAt,
    changes: [{ objectType: 'Vessel', objectKey: second.serviceObject, attribute: 'flag', old: 'NO', new: 'DK' }],
  });
  expect(Object.keys(shown)).toEqual(['key', 'self', 'sequence', 'occurredAt', 'changes']);
});
