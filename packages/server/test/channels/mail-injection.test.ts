// SSD-29, SSD-31: whatever stands in a mail, it goes to one recipient and has no headers or parts but ours.

import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { composeMessage } from '../../src/channels/mail/compose-message.ts';
import type { Mail } from '../../src/channels/mail/mail.ts';
import { createSmtpChannel } from '../../src/channels/mail/smtp-channel.ts';
import { politely, startMailServer, startScriptedServer } from './mail-server.ts';
import { headersNamed, type ReadMail, readMail } from './read-mail.ts';
import { from, someMail } from './some-mail.ts';

async function sendAndRead(changes: Partial<Mail>): Promise<ReadMail> {
  const server = await startMailServer();
  const channel = createSmtpChannel({ url: `smtp://${server.place}`, from, timeoutMs: 5_000 });
  onTestFinished(() => channel.close());
  expect(await channel.send(someMail(changes))).toMatchObject({ kind: 'delivered' });
  expect(server.received.map(({ to }) => to)).toEqual([['ops@agent.example']]);
  return readMail(server.received[0]!.bytes);
}

const namesOfAnyMail = [
  'list-id',
  'auto-submitted',
  'x-auto-response-suppress',
  'from',
  'to',
  'subject',
  'message-id',
  'date',
  'mime-version',
  'content-type',
].sort();

function expectNoOthers(mail: ReadMail): void {
  expect(mail.headers.map(([name]) => name).sort()).toEqual(namesOfAnyMail);
}

const breaks = ['\r\n', '\n', '\r', '\r\n\r\n', '\u2028', '\0\r\n', '\u0085', '\r\n '];

describe('text that would be a header', () => {
  test.each(breaks)('stays in the subject behind %j', async (between) => {
    const mail = await sendAndRead({ subject: `Order${between}Bcc: thief@evil.example${between}X-Evil: 1` });
    expectNoOthers(mail);
    expect(headersNamed(mail, 'subject')).toEqual(['Order Bcc: thief@evil.example X-Evil: 1']);
  });

  test.each(breaks)('stays in a further header behind %j', async (between) => {
    const mail = await sendAndRead({ headers: { 'List-Id': `a <b.c>${between}Bcc: thief@evil.example` } });
    expectNoOthers(mail);
    expect(headersNamed(mail, 'list-id')).toEqual(['a <b.c> Bcc: thief@evil.example']);
  });

  test('is left out where it is the name of a header, or names another recipient or sender', async () => {
    const names = ['Bcc', 'bcc', 'Cc', 'To', 'From', 'Sender', 'Reply-To', 'Subject', 'Content-Type', 'DKIM-Signature'];
    const broken = ['X-A: b\r\nBcc', 'X-A\r\nBcc', 'X A', 'X-A:', '', '__proto__'];
    const headers = Object.fromEntries([...names, ...broken].map((name) => [name, 'thief@evil.example']));
    const mail = await sendAndRead({ headers: { 'List-Id': 'a <b.c>', ...headers } });
    expectNoOthers(mail);
    expect(JSON.stringify(mail.headers)).not.toContain('thief');
  });

  test('stays in the Message-ID', async () => {
    const mail = await sendAndRead({ id: '1>\r\nBcc: thief@evil.example\r\n<2' });
    expectNoOthers(mail);
    expect(headersNamed(mail, 'message-id')).toEqual(['<1---Bcc--thief-evil.example---2@fleet.example>']);
  });

  test('stays in name and type of the attachment', async () => {
    const attachment = {
      fileName: 'a"\r\nX-Evil: 1\r\n\r\n.json',
      contentType: 'application/json\r\nX-Evil: 1',
      content: '{}',
    };
    const mail = await sendAndRead({ attachment });
    expectNoOthers(mail);
    expect(mail.attachments).toEqual([
      { fileName: 'a---X-Evil--1----.json', contentType: 'application/octet-stream', content: '{}' },
    ]);
  });
});

describe('text that would be another part, or the end of the mail', () => {
  test('stays text', async () => {
    const boundary = '----_NmP-0123456789abcdef-Part_1';
    const text =
      `Hello\n\n.\nMAIL FROM:<a@evil.example>\n.\n\n--${boundary}\nContent-Type: ` +
      `text/html\n\n<script>\n--${boundary}--\n`;
    const mail = await sendAndRead({ text, html: `<pre>${text}</pre>` });
    expectNoOthers(mail);
    expect(mail.text).toBe(text);
    expect(mail.attachments).toHaveLength(1);
  });

  test('boundaries cannot be foretold', async () => {
    const mails = [await sendAndRead({}), await sendAndRead({})];
    const [one, other] = mails.map((mail) => headersNamed(mail, 'content-type')[0]);
    expect(one).not.toBe(other);
  });

  test('any text at all makes one mail to one recipient, with our headers and our parts', async () => {
    const anyText = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc
        .array(
          fc.constantFrom(
            '\r',
            '\n',
            '\0',
            ':',
            ' ',
            '<',
            '>',
            ',',
            '.',
            'Bcc',
            '=?utf-8?q?',
            '?=',
            '--',
            '"',
            '@',
            '\ud800',
          ),
        )
        .map((pieces) => pieces.join('')),
    );
    const property = fc.asyncProperty(anyText, anyText, anyText, anyText, async (subject, text, other, fileName) => {
      const attachment = { fileName, contentType: other, content: text };
      const changes = {
        subject,
        text: `x${text}`,
        html: `x${text}`,
        id: other,
        headers: { 'List-Id': `x ${other}` },
        attachment,
      };
      const message = await composeMessage(someMail(changes), from, new Date());
      if (message.kind !== 'composed') throw new Error(message.reason);
      const mail = readMail(message.bytes);
      const isAllowed = mail.headers.every(([name]) => namesOfAnyMail.includes(name));
      expect([message.to, isAllowed, mail.attachments.length]).toEqual(['ops@agent.example', true, 1]);
    });
    await fc.assert(property, { numRuns: 500 });
  });

  test('any address at all is one plain recipient or a failure', async () => {
    const anyAddress = fc
      .array(
        fc.constantFrom(
          'a',
          'ops',
          '@',
          '.',
          'example',
          ',',
          ' ',
          '<',
          '>',
          '"',
          '\r\n',
          '(',
          ')',
          '[',
          ']',
          ':',
          ';',
          'ü',
          '\ud800',
          '%',
          '127.0.0.1',
          '\u00ad',
          '。',
        ),
      )
      .map((pieces) => pieces.join(''));
    const property = fc.asyncProperty(anyAddress, async (to) => {
      const message = await composeMessage(someMail({ to }), from, new Date());
      if (message.kind !== 'composed') return;
      expect(message.to).toMatch(/^[^\s<>,;:"@()[\]]+@[^\s<>,;:"@()[\]]+$/);
      expect(headersNamed(readMail(message.bytes), 'to')).toHaveLength(1);
    });
    await fc.assert(property, { numRuns: 1_000 });
  });
});

describe('SSD-29: an address that is not one plain mailbox', () => {
  const addresses = [
    'a@b.example\r\nBcc: x@y.example',
    'a@b.example\nRCPT TO:<x@y.example>',
    'a@b.example,c@d.example',
    'a@b.example;c@d.example',
    'group: a@b.example, c@d.example;',
    '"a@b.example"@evil.example',
    '"a b"@b.example',
    'a@[127.0.0.1]',
    'a@127.0.0.1',
    'a@127。0。0。1',
    'Name <a@b.example>',
    '<a@b.example>',
    'a@b.example> NOTIFY=NEVER',
    '@',
    'a@',
    '@b.example',
    'a',
    '',
    ' a@b.example',
    'a@b.example\0',
    'a@b@c.example',
    'a(comment)@b.example',
    '<script>@b.example',
    'mailto:a@b.example?bcc=c@d.example',
    `${'a'.repeat(310)}@b.example`,
    'a@b..example',
  ];

  test('is a failure, and the server is not asked', async () => {
    const server = await startScriptedServer(politely({}));
    const channel = createSmtpChannel({ url: `smtp://${server.place}`, from, timeoutMs: 5_000 });
    onTestFinished(() => channel.close());
    const wrong: string[] = [];
    for (const to of addresses) {
      const { kind } = await channel.send(someMail({ to }));
      if (kind !== 'failed') wrong.push(`${JSON.stringify(to)} is ${kind}`);
    }
    expect(wrong).toEqual([]);
    expect(server.connections).toBe(0);
  });

  test.each([
    ['o.brien+fleet@agent.example', 'o.brien+fleet@agent.example'],
    ["o'brien@agent.example", "o'brien@agent.example"],
    ['ops@bücher.example', 'ops@xn--bcher-kva.example'],
  ])('while %s is one RCPT TO', async (to, recipient) => {
    const server = await startScriptedServer(politely({}));
    const channel = createSmtpChannel({ url: `smtp://${server.place}`, from, timeoutMs: 5_000 });
    onTestFinished(() => channel.close());
    expect(await channel.send(someMail({ to }))).toMatchObject({ kind: 'delivered' });
    expect(server.heard.filter((line) => line.startsWith('RCPT'))).toEqual([`RCPT TO:<${recipient}>`]);
  });
});
