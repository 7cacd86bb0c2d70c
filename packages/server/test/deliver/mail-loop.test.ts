import { mkdtemp, readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Mail, MailChannel } from '../../src/channels/mail/mail.ts';
import type { SendResult } from '../../src/channels/send-result.ts';
import { Database } from '../../src/database/database.ts';
import { createMailLoop, judgeMail } from '../../src/deliver/mail/mail-loop.ts';
import { insertMail } from '../../src/deliver/mail/outgoing-mail-table.ts';
import type { Observation } from '../../src/observe/observation.ts';
import { headersNamed, readMail } from '../channels/read-mail.ts';
import { someMail } from '../channels/some-mail.ts';
import { createClient } from '../support/access.ts';
import { useTestDatabase } from '../support/test-database.ts';
import { useTestService } from '../support/test-service.ts';
import { countIn, stateOf, subscribeTo } from './failed-notifications.ts';
import { startSwitchedReceiver } from './switched-receiver.ts';

const mails = 'flaghoist_system.outgoing_mail';

describe('what is to be done', () => {
  const refused: SendResult = { kind: 'failed', reason: 'No.', statusCode: 550, answer: null, retryAfterMs: undefined };
  const ours: SendResult = { kind: 'ownFault', reason: 'The mail server is away.' };
  const [hour, day] = [3_600_000, 86_400_000];
  const fresh = { failures: 0, rejections: 0, ageMs: 0 };

  test('a refused recipient is tried five times', () => {
    expect(judgeMail(refused, { ...fresh, failures: 3, rejections: 3 }).kind).toBe('later');
    expect(judgeMail(refused, { ...fresh, failures: 4, rejections: 4 })).toEqual({ kind: 'givenUp' });
    expect(judgeMail(refused, { ...fresh, failures: 40, rejections: 0 }).kind).toBe('later');
  });

  test('a fault of ours is tried again after longer and longer waits, up to an hour, for three days', () => {
    const waits = [0, 1, 2, 7, 8, 50, 5_000].map((failures) => judgeMail(ours, { ...fresh, failures }));
    const delays = waits.map((verdict) => (verdict.kind === 'later' ? verdict.delayMs : -1));
    expect(delays).toEqual([...delays].sort((one, other) => one - other));
    expect(delays.slice(0, 3)).toEqual([15_000, 30_000, 60_000]);
    expect(Math.max(...delays)).toBe(hour);
    expect(judgeMail(ours, { ...fresh, failures: 90, ageMs: 3 * day - 1 }).kind).toBe('later');
    expect(judgeMail(ours, { ...fresh, failures: 90, ageMs: 3 * day })).toEqual({ kind: 'givenUp' });
  });
});

describe('the loop', () => {
  const testDatabase = useTestDatabase();
  const source = { database: testDatabase };

  /** Gone when the test is over. */
  async function run(send: (mail: Mail) => Promise<SendResult>, loops = 1) {
    const observations: Observation[] = [];
    const database = new Database({
      url: testDatabase.url,
      observe: () => undefined,
      connectionsMax: 4,
      statementTimeoutMs: 10_000,
    });
    const mail: MailChannel = { send, close: async () => undefined };
    const running = Array.from({ length: loops }, () => {
      const loop = createMailLoop({ database, mail, observe: (observation) => observations.push(observation) });
      loop.start();
      return loop;
    });
    onTestFinished(async () => {
      for (const loop of running) await loop.stop(AbortSignal.timeout(1_000));
      await database.close();
      await testDatabase.pool.query(`delete from ${mails}`);
    });
    await testDatabase.pool.query(`delete from ${mails}`);
    return { database, observations };
  }

  const delivered: SendResult = { kind: 'delivered', statusCode: 250, answer: 'ok' };
  const hurry = () => testDatabase.pool.query(`update ${mails} set not_before = now() where not_before < 'infinity'`);

  test('each mail is sent once, by however many loops, and is gone then', async () => {
    const sent: string[] = [];
    const { database } = await run(async ({ id }) => {
      sent.push(id);
      return delivered;
    }, 3);
    const ids = Array.from({ length: 20 }, (_, index) => `mail-${index}`);
    for (const id of ids) await database.run(insertMail({ ...someMail(), id }));
    await expect.poll(() => countIn(source, mails), { timeout: 15_000 }).toBe(0);
    expect(sent.sort()).toEqual(ids.sort());
  });

  test('a refused recipient is given up after five tries, each of them told', async () => {
    const { database, observations } = await run(async () => ({
      kind: 'failed',
      reason: 'The mail server rejected the address.',
      statusCode: 550,
      answer: null,
      retryAfterMs: undefined,
    }));
    await database.run(insertMail({ ...someMail(), id: 'refused' }));
    await expect.poll(async () => (await hurry()) && observations.length, { timeout: 15_000, interval: 100 }).toBe(5);
    await expect.poll(() => countIn(source, mails)).toBe(0);
    expect(observations.map(({ kind }) => kind)).toEqual([...Array(4).fill('mail.failed'), 'mail.givenUp']);
    expect(observations[4]).toMatchObject({ mail: 'refused', isOurs: false, tries: 5 });
  });

  test('a fault of ours is told, and the mail waits, also for the next process', async () => {
    let isAway = true;
    const { database, observations } = await run(async () => {
      if (isAway) throw new Error('connect ECONNREFUSED');
      return delivered;
    });
    await database.run(insertMail({ ...someMail(), id: 'waiting' }));
    await expect.poll(() => observations.length, { timeout: 5_000 }).toBe(1);
    expect(observations[0]).toEqual({
      kind: 'mail.failed',
      mail: 'waiting',
      isOurs: true,
      tries: 1,
      reason: 'connect ECONNREFUSED',
    });
    await expect
      .poll(() => countIn(source, `${mails} where failures = 1 and not_before > now() + interval '10 s'`))
      .toBe(1);
    isAway = false;
    await hurry();
    await expect.poll(() => countIn(source, mails), { timeout: 5_000 }).toBe(0);
    expect(observations).toHaveLength(1);
  });

  test('what a process that died was sending is sent by another once the lease is over', async () => {
    const never = await run(() => new Promise<SendResult>(() => undefined));
    await never.database.run(insertMail({ ...someMail(), id: 'taken' }));
    await expect
      .poll(() => countIn(source, `${mails} where not_before > now() + interval '100 s'`), { timeout: 5_000 })
      .toBe(1);
    const sent: string[] = [];
    const loop = createMailLoop({
      database: never.database,
      mail: {
        send: async ({ id }) => {
          sent.push(id);
          return delivered;
        },
        close: async () => undefined,
      },
      observe: () => undefined,
    });
    loop.start();
    onTestFinished(() => loop.stop(AbortSignal.timeout(1_000)));
    // The first loop is still at it, and will be for ever.
    await hurry();
    await expect.poll(() => sent, { timeout: 5_000 }).toEqual(['taken']);
    await expect.poll(() => countIn(source, mails)).toBe(0);
  });
});

describe('with a mail server that is away', () => {
  const service = useTestService({
    FLAGHOIST_DELIVERY_INTERVAL_SECONDS: '0.1',
    FLAGHOIST_DELIVERY_ATTEMPTS: '2',
    FLAGHOIST_SMTP_URL: 'smtp://127.0.0.1:2',
  });

  test('a mail server that is away hinders no deactivation: the alert waits, and the log says so', async () => {
    const client = await createClient(service, ['read', 'webhook'], { email: 'ops@receiver.example' });
    const receiver = await startSwitchedReceiver(500);
    const key = await subscribeTo(service, receiver.url, {}, client);
    await service.post('/ws/rest/Voyage', { voyageStatus: 'EST' });
    await expect.poll(() => stateOf(service, key), { timeout: 10_000 }).toBe('DEACTIVATED');
    await expect
      .poll(() => service.observations.filter(({ kind }) => kind === 'mail.failed').length, { timeout: 10_000 })
      .toBe(1);
    await expect.poll(() => countIn(service, `${mails} where failures = 1`)).toBe(1);
  });

  test('a user without an address gets none', async () => {
    const client = await createClient(service, ['read', 'webhook']);
    const receiver = await startSwitchedReceiver(500);
    const key = await subscribeTo(service, receiver.url, {}, client);
    const before = await countIn(service, mails);
    await service.post('/ws/rest/Voyage', { voyageStatus: 'EST' });
    await expect.poll(() => stateOf(service, key), { timeout: 10_000 }).toBe('DEACTIVATED');
    expect(await countIn(service, mails)).toBe(before);
  });
});

describe('without a mail server', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'flaghoist-mail-'));
  const service = useTestService({
    FLAGHOIST_DELIVERY_INTERVAL_SECONDS: '0.1',
    FLAGHOIST_DELIVERY_ATTEMPTS: '2',
    FLAGHOIST_DATA_DIR: dataDir,
  });

  test('the alert of a deactivation is written to the mail folder, once', async () => {
    const client = await createClient(service, ['read', 'webhook'], { email: 'ops@receiver.example' });
    const receiver = await startSwitchedReceiver(500);
    const key = await subscribeTo(service, receiver.url, {}, client);
    for (let count = 0; count < 3; count += 1) await service.post('/ws/rest/Voyage', { voyageStatus: 'EST' });
    await expect.poll(() => stateOf(service, key), { timeout: 10_000 }).toBe('DEACTIVATED');
    const failures = () =>
      service.observations.filter(({ kind }) => kind === 'mail.failed' || kind === 'delivery.failed');
    await expect
      .poll(async () => ({ left: await countIn(service, mails), failures: failures() }), { timeout: 10_000 })
      .toEqual({ left: 0, failures: [] });
    const files = await readdir(join(dataDir, 'mail'));
    expect(files).toHaveLength(1);
    const mail = readMail(await readFile(join(dataDir, 'mail', files[0]!)));
    expect(headersNamed(mail, 'to')).toEqual(['ops@receiver.example']);
    expect(mail.text).toContain(receiver.url);
  });
});
