// The alert mail about a deactivated subscription has a command that replaces it. The new subscription must match and
// send the same, so the command repeats every setting.

import { expect, test } from 'vitest';
import { type FailingRow, selectFailing } from '../../src/deliver/outcomes/deactivation-table.ts';
import type { ReadyNotification } from '../../src/deliver/queue/ready-notification.ts';
import { webhooks } from '../../src/model/catalogue/webhooks.ts';
import { makeScript, stylesheet } from '../shape/shaped.ts';
import { deactivate, post, receiver, subscribe } from '../subscriptions/subscribe.ts';
import type { Shown } from '../support/fleet.ts';
import { useTestService } from '../support/test-service.ts';

const service = useTestService();

/** Each with a value that is not the default. */
const settings = {
  name: 'Vessels to the agent',
  webhookUsername: 'agent',
  json: Buffer.from('{"vesselName":"*"}').toString('base64'),
  expression: '.vesselName = Kari',
  dlpAlertScript: 'repeated',
  scriptParameterValues: { least: 10 },
  useMsg: true,
  onlyMainObject: true,
  rawObject: true,
  includeChanges: true,
  xsl: stylesheet('<xsl:template match="/"><out/></xsl:template>'),
  notSendMyChanges: true,
  ordering: 'OBJECT',
};

/** Settable attributes that are not among the repeated settings, and why. */
const others = {
  eventTypes: 'in the command',
  eventType: 'in the command',
  objectType: 'in the command, as a part of eventType',
  operation: 'in the command, as a part of eventType',
  objectKey: 'in the command, as a part of eventType',
  url: 'in the command',
  channelInfo: 'in the command, if the channel is not HTTP',
  replaces: 'in the command',
  webhookPassword: 'a secret; the mail says to add it',
  signingSecret: 'kept by replaces',
  user: 'the owner, who gets the mail',
  unsubscribed: 'cannot be true in a new subscription',
  doNotUnsubscribe: 'false, or it would not be deactivated',
};

async function repeatedSettings({ key }: Shown): Promise<FailingRow['subscription']['shape']> {
  const failed = { key: 1, subscriptionKey: key, attempts: 0, resendJob: null } as ReadyNotification;
  const [row] = await service.database.connections.run(selectFailing(failed, 1));
  return (row as unknown as FailingRow).subscription.shape;
}

test('every attribute that can be set is a setting that the command repeats, or there is a reason', () => {
  const attributes = Object.entries(webhooks.WebhookSubscription!.attributes);
  const settable = attributes.filter(
    ([, { isReadOnly, isComputed, isHidden }]) => !isReadOnly && !isComputed && !isHidden,
  );
  expect(Object.keys({ ...settings, ...others }).sort()).toEqual(settable.map(([name]) => name).sort());
});

test('the command creates a subscription with the same settings', async () => {
  const parameters = [{ name: 'least', type: 'number' }];
  await makeScript(service, 'return parameters.least > 1;', { code: settings.dlpAlertScript, parameters });
  const old = await subscribe(service, { eventType: 'Vessel.U', ...settings });
  const repeated = await repeatedSettings(old);
  expect(repeated).toEqual(settings);
  await deactivate(service, old);
  const made = await post(service, { eventType: 'Vessel.U', url: receiver, ...repeated, replaces: old.key });
  expect(made.status, made.text).toBe(201);
  expect(made.body).toMatchObject(settings);
});

test('a setting that has its default is left out', async () => {
  expect(await repeatedSettings(await subscribe(service))).toEqual({});
});
