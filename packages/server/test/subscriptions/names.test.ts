// Names are looked up when a subscription is saved: what would go to an address that is not allowed is refused at once
// (SSD-01, SSD-02, SSD-10, SSD-28).

import { beforeAll, expect, test } from 'vitest';
import { type Question, startNameServer } from '../channels/name-server.ts';
import { useTestService } from '../support/test-service.ts';

const addresses: Record<string, string[]> = {
  'private.example': ['10.0.0.5'],
  'mixed.example': ['8.8.8.8', '127.0.0.1'],
  'public.example': ['8.8.8.8'],
};
const questions: Question[] = [];
const names = await startNameServer(({ name }) => {
  if (name === 'silent.example') return 'silence';
  return addresses[name] ? { addresses: addresses[name] } : 'NXDOMAIN';
}, questions);

const service = useTestService({ FLAGHOIST_DNS_SERVERS: names.address, FLAGHOIST_ALLOWED_TARGETS: '' });
const path = '/ws/rest/WebhookSubscription';
let key = 0;

const post = (body: object) => service.post(path, { eventType: 'Voyage.U', ...body });
const refusal = expect.stringContaining('FLAGHOIST_ALLOWED_TARGETS');

beforeAll(async () => {
  const made = await post({ url: 'https://public.example/hook' });
  expect(made.status, made.text).toBe(201);
  key = made.body.key;
  return () => names.stop();
});

test.each(['private.example', 'mixed.example'])('%s is rejected, with the place and what to do', async (host) => {
  const { status, body } = await post({ url: `https://${host}/hook` });
  expect([status, body.violations]).toEqual([400, [{ path: 'url', message: refusal }]]);
});

test.each(['unknown.example', 'silent.example'])('%s, which has no address yet, is accepted', async (host) => {
  expect((await post({ url: `https://${host}/hook` })).status).toBe(201);
});

test('the same in channelInfo, in every element of an array, and in a PUT', async () => {
  const info = { channelType: 'HTTP', URL: 'https://private.example/' };
  expect((await post({ channelInfo: info })).body.violations).toEqual([{ path: 'channelInfo.URL', message: refusal }]);
  const array = await service.post(path, [
    { eventType: 'Voyage.U', url: 'https://public.example/' },
    { eventType: 'Voyage.U', url: 'https://private.example/' },
  ]);
  expect([array.status, array.body.violations]).toEqual([400, [{ path: '[1].url', message: refusal }]]);
  for (const body of [{ url: 'https://mixed.example/' }, { channelInfo: info }]) {
    const { status } = await service.put(`${path}/${key}`, body);
    expect(status).toBe(400);
  }
  expect((await service.get(`${path}/${key}`)).body.url).toBe('https://public.example/hook');
});

test('nothing is resolved for an array that is too long, or for an array in a PUT', async () => {
  const tooMany = Array.from({ length: 1_001 }, (_, index) => ({
    eventType: 'Voyage.U',
    url: `https://many-${index}.example/`,
  }));
  const refused = await service.post(path, tooMany);
  expect([refused.status, refused.body.message]).toEqual([400, expect.stringContaining('at most 1000 objects')]);
  const array = await service.put(`${path}/${key}`, tooMany.slice(0, 3));
  expect([array.status, array.body.violations]).toEqual([
    400,
    [{ path: '', message: expect.stringContaining('must be an object') }],
  ]);
  expect(questions.filter(({ name }) => name.startsWith('many-'))).toEqual([]);
});

test('it is reported together with all other mistakes', async () => {
  const { body } = await post({ url: 'https://private.example/', expression: 'svcObject.getNothing()', oops: 1 });
  expect(body.violations.map((each: { path: string }) => each.path).sort()).toEqual(['expression', 'oops', 'url']);
});
