// Mail as files, where there is no mail server.

import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createMailFolder } from '../../src/channels/mail/mail-folder.ts';
import { createSmtpChannel } from '../../src/channels/mail/smtp-channel.ts';
import { startMailServer } from './mail-server.ts';
import { headersNamed, readMail } from './read-mail.ts';
import { from, someMail } from './some-mail.ts';

const clock = { now: () => new Date('2026-09-14T08:15:22.123Z'), monotonicMs: () => 0 };

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'flaghoist-mail-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'data', 'mail');
}

test('each mail is one file, named by time and id, that only its owner reads', async () => {
  const folder = newFolder();
  const channel = createMailFolder(folder, from, clock);
  const results = await Promise.all(
    ['1-1', '1-2', '../../1-3'].map((id) => channel.send(someMail({ id, attachment: undefined }))),
  );
  await channel.close();
  const names = ['20260914T081522.123Z-------1-3.eml', '20260914T081522.123Z-1-1.eml', '20260914T081522.123Z-1-2.eml'];
  expect(readdirSync(folder).sort()).toEqual(names);
  expect(results[0]).toEqual({ kind: 'delivered', statusCode: null, answer: `Saved as ${names[1]}.` });
  expect(names.map((name) => statSync(join(folder, name)).mode & 0o777)).toEqual([0o600, 0o600, 0o600]);
  const mail = readMail(readFileSync(join(folder, names[1]!)));
  expect(headersNamed(mail, 'to')).toEqual(['ops@agent.example']);
  expect(mail.text).toBe('It was updated.\n');
});

test('a file has the bytes that a mail server is given', async () => {
  const folder = newFolder();
  const server = await startMailServer();
  const overSmtp = createSmtpChannel({ url: `smtp://${server.place}`, from, timeoutMs: 5_000, clock });
  onTestFinished(() => overSmtp.close());
  const mail = someMail({ text: '.\nÆrø\n..\n', subject: 'Ærø' });
  await overSmtp.send(mail);
  await createMailFolder(folder, from, clock).send(mail);
  const [name] = readdirSync(folder);
  // Boundaries are by chance.
  const withoutBoundaries = (bytes: Buffer) => bytes.toString('latin1').replace(/_NmP-[\da-f]+-/g, '');
  expect(withoutBoundaries(readFileSync(join(folder, name!)))).toBe(withoutBoundaries(server.received[0]!.bytes));
});

test('a folder that cannot be written is ours to mend, and leaves nothing half done', async () => {
  const folder = newFolder();
  const parent = join(folder, '..', '..');
  writeFileSync(join(parent, 'data'), 'a file in the way');
  const result = await createMailFolder(folder, from, clock).send(someMail());
  expect(result).toMatchObject({ kind: 'ownFault', reason: expect.stringContaining('cannot be saved') });
  expect(readdirSync(parent)).toEqual(['data']);
});

test('an address that is not one plain mailbox is a failure here, too', async () => {
  const folder = newFolder();
  const result = await createMailFolder(folder, from, clock).send(someMail({ to: 'a@b.example, c@d.example' }));
  expect(result).toMatchObject({ kind: 'failed' });
});
