// The commands that look after subscriptions and their notifications, and `status`.

import { expect, test } from 'vitest';
import { startSwitchedReceiver } from '../../server/test/deliver/switched-receiver.ts';
import { createFleet, createVoyage, type Fleet, type Shown } from '../../server/test/support/fleet.ts';
import { useTestService } from '../../server/test/support/test-service.ts';
import { useCli } from './support/cli.ts';

const service = useTestService({ FLAGHOIST_DELIVERY_ATTEMPTS: '1' });
const cli = useCli(service.url);

let fleet: Fleet | undefined;

async function newVoyage(): Promise<Shown> {
  fleet ??= await createFleet(service);
  return createVoyage(service, fleet);
}

async function comment(key: number, comments: string): Promise<void> {
  expect((await service.put(`/ws/rest/Voyage/${key}`, { comments })).status).toBe(200);
}

test('a subscription is created, shown, listed, pinged and unsubscribed, by key or by name', async () => {
  const receiver = await startSwitchedReceiver();
  const created = await cli.json(
    ...['subscription', 'create', '--event', 'Voyage.U', 'Voyage.D', '--to', receiver.url, '--name', 'Voyages'],
    ...['--expression', '.voyageStatus = NOM', '--fields', '{"voyageStatus":"*"}', '--data', '{"includeChanges":true}'],
  );
  service.secrets.plant('the signing secret', created.signingSecret);
  expect(created).toMatchObject({
    eventTypes: ['Voyage.U', 'Voyage.D'],
    url: receiver.url,
    name: 'Voyages',
    expression: '.voyageStatus = NOM',
    includeChanges: true,
    signingSecret: expect.stringMatching(/^whsec_/),
  });
  const { key } = created;
  expect(await cli.json('subscription', 'show', 'Voyages')).toMatchObject({ key, state: 'ACTIVE' });
  expect(await cli.answer('subscription', 'show', String(key))).toMatch(/^eventTypes +Voyage\.U Voyage\.D$/m);
  expect(await cli.json('subscription', 'list')).toMatchObject([{ key, name: 'Voyages' }]);
  expect(await cli.answer('subscription', 'list')).toMatch(
    new RegExp(`^key +name .*\\n${key} +Voyages +Voyage\\.U Voyage\\.D +HTTP +http\\S+ +ACTIVE\\n$`),
  );
  expect(await cli.json('subscription', 'ping', 'Voyages')).toMatchObject({ isDelivered: true, statusCode: 200 });
  receiver.status = 500;
  const pinged = await cli.run(['subscription', 'ping', 'Voyages']);
  expect(pinged).toMatchObject({ code: 1, stderr: 'error: The test message was not delivered.\n' });
  expect(pinged.stdout).toContain('did not accept the test message');
  expect(await cli.refusal(1, 'subscription', 'show', 'Voyagse')).toBe(
    'error: There is no subscription with the name "Voyagse". Did you mean "Voyages"?\n',
  );
  expect(await cli.json('subscription', 'unsubscribe', 'Voyages')).toMatchObject({ key, state: 'UNSUBSCRIBED' });
  expect(await cli.answer('subscription', 'list')).toContain('There are no subscriptions.');
  expect(await cli.json('subscription', 'list', '--all')).toMatchObject([{ key, state: 'UNSUBSCRIBED' }]);
});

test('the mistakes of a new subscription are all listed', async () => {
  const text = await cli.refusal(
    1,
    'subscription',
    'create',
    '--event',
    'Voyag.U',
    '--expression',
    '.voyageStatu = OPR',
  );
  expect(text).toMatch(/^error: The service answered 400:\n- eventTypes\[0\]: .*Did you mean "Voyage"\?/);
  expect(await cli.refusal(2, 'subscription', 'create', '--to', 'http://127.0.0.1:1')).toContain('Pass --event');
  expect(await cli.refusal(2, 'subscription', 'create', '--event', 'Voyage.U', '--to', 'nowhere')).toContain(
    '--to takes',
  );
  expect(await cli.refusal(2, 'subscription', 'create', '--event', 'Voyage.U', '--data', '[1]')).toContain(
    '--data takes a JSON object',
  );
});

test('test shows what would be sent, why answers in a sentence, and the log shows what was sent', async () => {
  const receiver = await startSwitchedReceiver();
  const { key: voyage } = await newVoyage();
  const { key, signingSecret } = await cli.json(
    ...['subscription', 'create', '--event', 'Voyage.U', '--to', receiver.url, '--name', 'delays'],
    ...['--expression', '.comments = late'],
  );
  service.secrets.plant('the signing secret', signingSecret);
  const object = ['--object', String(voyage)];
  expect(await cli.answer('subscription', 'test', 'delays', ...object)).toContain(
    'Would not be sent. The expression was false: .comments = late with .comments = null.',
  );
  const tried = ['subscription', 'test', 'delays', ...object, '--expression', '.comments = null'];
  expect(await cli.json(...tried)).toMatchObject({ isNotified: true, contentType: 'application/json' });

  await comment(voyage, 'in time');
  await expect
    .poll(() => cli.answer('why', 'delays', ...object), { timeout: 10_000 })
    .toMatch(
      new RegExp(
        `^Voyage ${voyage} was updated at \\S+ \\S+ UTC \\(event \\d+\\)\\. Subscription ${key} "delays" was not ` +
          'notified of it: The expression was false: \\.comments = late with \\.comments = "in time"\\.\\n$',
      ),
    );
  await comment(voyage, 'late');
  const recent = await cli.answer('subscription', 'test', 'delays', '--recent', '50');
  expect(recent).toMatch(
    /^1 of the last \d+ changes would have been sent\.\nEVENT +TIME +CHANGE +OBJECT +MATCHES +WHY\n/,
  );
  expect(recent).toMatch(/ no +The expression was false: \.comments = late with \.comments = "in time"\.\n/);
  expect(recent).toMatch(/\nThe newest match, \d+ bytes of application\/json:\n\{"id":/);
  const another = ['subscription', 'test', 'delays', '--recent', '2', '--expression', '.comments = "in time"'];
  expect(await cli.json(...another)).toMatchObject({ examined: 2, matched: 1 });
  expect(await cli.refusal(2, 'subscription', 'test', 'delays', '--recent', '51')).toContain('at most 50');
  expect(await cli.refusal(2, 'subscription', 'test', 'delays', '--recent', '5', ...object)).toContain('goes without');
  await expect
    .poll(() => cli.answer('why', 'delays', ...object), { timeout: 10_000 })
    .toMatch(/"delays" was notified of it: notification \d+ was delivered at \S+ \S+ UTC, after 1 attempt\.\n$/);
  const [why, before] = await cli.json('why', String(key), ...object, '--limit', '2');
  expect([why.reason, before.reason]).toEqual(['NOTIFIED', 'EXPRESSION_FALSE']);
  expect(await cli.json('why', 'delays', '--event', String(before.event))).toMatchObject([{ event: before.event }]);
  expect(await cli.answer('why', 'delays', '--object', '1')).toBe(
    `No recent change of object 1 or of its hierarchy is on record. Subscription ${key} is about Voyage.U.\n`,
  );

  const [logged, ...others] = await cli.json('notification', 'list', '--subscription', 'delays', '--since', '1h');
  expect(logged).toMatchObject({ key: why.notification, status: 'DELIVERED', objectKey: voyage });
  expect(others).toEqual([]);
  expect(await cli.answer('notification', 'list', ...object, '--status', 'delivered')).toContain(String(logged.key));
  expect(await cli.answer('notification', 'list', '--status', 'FAILED')).toBe('There are no such notifications.\n');
  expect(await cli.json('notification', 'show', logged.id)).toMatchObject({ key: logged.key, attempts: 1 });
  const shown = await cli.answer('notification', 'show', String(logged.key));
  expect(shown).toMatch(/^attempt 1 +\S+, \d+ ms: answered 200/m);
  expect(shown).toContain(receiver.deliveries.find(({ id }) => id === logged.id)!.body);
});

test('tail shows what happens to notifications, one line each', async () => {
  const receiver = await startSwitchedReceiver(500);
  const { key: voyage } = await newVoyage();
  const { key, signingSecret } = await cli.json(
    ...['subscription', 'create', '--event', 'Voyage.U', '--to', receiver.url],
    ...['--data', '{"doNotUnsubscribe":true}'],
  );
  service.secrets.plant('the signing secret', signingSecret);
  const tail = cli.start(['notification', 'tail', '--subscription', String(key)]);
  const text = cli.start(['notification', 'tail', '--subscription', String(key), '--no-json']);
  // What is there already is not shown, so changes go on until one is.
  let count = 0;
  await expect
    .poll(
      async () => {
        count += 1;
        await comment(voyage, `change ${count}`);
        return tail.stdout !== '' && text.stdout !== '';
      },
      { timeout: 20_000, interval: 300 },
    )
    .toBe(true);
  const lines = await tail.lines(1, ({ status }) => status === 'FAILED');
  expect(lines[0]).toMatchObject({ subscription: { key }, objectKey: voyage, status: 'FAILED' });
  expect(text.stdout).toMatch(
    new RegExp(`^\\d\\d:\\d\\d:\\d\\d {2}\\d+ {2}subscription ${key} {2}Voyage\\.U {2}${voyage}`),
  );
  expect(await tail.end('SIGINT')).toBe(0);
  await text.end();
});

test('status shows what is deactivated, and fails if the service is not ready', async () => {
  const receiver = await startSwitchedReceiver(500);
  const { key: voyage } = await newVoyage();
  const { key, signingSecret } = await cli.json('subscription', 'create', '--event', 'Voyage.U', '--to', receiver.url);
  service.secrets.plant('the signing secret', signingSecret);
  await comment(voyage, 'fails');
  await expect
    .poll(async () => (await cli.json('status')).deactivated, { timeout: 10_000 })
    .toContainEqual(expect.objectContaining({ key }));
  expect(await cli.answer('status')).toMatch(/^Status +ready\nSubscriptions +\d+ active, [1-9]\d* deactivated$/m);
  const away = await cli.run(['status', '--json'], { FLAGHOIST_URL: 'http://127.0.0.1:1' });
  expect(away.code).toBe(1);
  expect(JSON.parse(away.stderr).error.message).toBe('The service is not ready.');
  expect(JSON.parse(away.stdout).status).toMatch(/^not reachable: /);
});
