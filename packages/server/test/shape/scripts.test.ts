// Scripts and stylesheets, from the subscription to the receiver.

import { expect, test } from 'vitest';
import { startHooks, subscribeTo } from '../deliver/hooks.ts';
import { useTestService } from '../support/test-service.ts';

const service = useTestService();

async function makeScript(body: string, more: object = {}) {
  const answer = await service.post('/ws/rest/AlertScript', {
    code: `s-${crypto.randomUUID()}`,
    name: 'A script',
    body,
    ...more,
  });
  expect(answer.body).toMatchObject({ name: 'A script' });
  return answer.body as { key: number; code: string };
}

test('a script sends what it returns true for, and the rest is recorded with its reason', async () => {
  const hooks = await startHooks();
  const script = await makeScript(
    "console.log('status', svcObject.voyageStatus); return svcObject.comments === parameters.wanted && " +
      'oldSvcObject.comments !== svcObject.comments;',
    { parameters: [{ name: 'wanted', type: 'text', required: true }] },
  );
  const { body: voyage } = await service.post('/ws/rest/Voyage', { voyageStatus: 'EST' });
  const subscription = await subscribeTo(service, {
    eventType: `Voyage.U.${voyage.key}`,
    url: hooks.url,
    dlpAlertScript: script.code,
    scriptParameterValues: { wanted: 'go' },
  });
  await service.put(`/ws/rest/Voyage/${voyage.key}`, { comments: 'no' });
  await service.put(`/ws/rest/Voyage/${voyage.key}`, { comments: 'go' });
  await expect.poll(() => hooks.received.length, { timeout: 10_000 }).toBe(1);
  expect(JSON.parse(String(hooks.received[0]!.body)).resource.comments).toBe('go');
  const { body: decisions } = await service.get(`/ws/rest/WebhookSubscription/${subscription.key}/decisions?limit=2`);
  expect(decisions).toMatchObject([
    { reason: 'NOTIFIED', log: ['status EST'] },
    { reason: 'SCRIPT_FALSE', log: ['status EST'] },
  ]);
});
