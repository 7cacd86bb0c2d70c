// Sending over SMTP: what is delivered, what the subscriber has to fix, and what the operator has to fix.

import type { Socket } from 'node:net';
import type { SMTPServerOptions } from 'smtp-server';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { MailChannel } from '../../src/channels/mail/mail.ts';
import { createSmtpChannel } from '../../src/channels/mail/smtp-channel.ts';
import { hasOpenssl, useAuthority } from './certificates.ts';
import { freePort, politely, refusal, startMailServer, startScriptedServer } from './mail-server.ts';
import { headersNamed, readMail } from './read-mail.ts';
import { from, someMail } from './some-mail.ts';

function channelTo(url: string, timeoutMs = 5_000, authorities?: readonly string[]): MailChannel {
  const channel = createSmtpChannel({ url, from, timeoutMs, authorities });
  onTestFinished(() => channel.close());
  return channel;
}

describe('a mail that is taken', () => {
  test('arrives as it was composed, to one recipient, and is told as delivered with what the server said', async () => {
    const server = await startMailServer();
    const result = await channelTo(`smtp://${server.place}`).send(someMail());
    expect(result).toEqual({ kind: 'delivered', statusCode: 250, answer: '250 queued as 4F2A' });
    expect(server.received).toHaveLength(1);
    const [received] = server.received;
    expect(received).toMatchObject({ from: 'flaghoist@fleet.example', to: ['ops@agent.example'] });
    const mail = readMail(received!.bytes);
    expect(Object.fromEntries(mail.headers)).toMatchObject({
      from: 'Flaghoist <flaghoist@fleet.example>',
      to: 'ops@agent.example',
      subject: 'BunkerOrder 793628 updated',
      'message-id': '<4711-98213@fleet.example>',
      'auto-submitted': 'auto-generated',
      'x-auto-response-suppress': 'All',
      'list-id': 'Webhook subscription 5 <5.webhook-subscription.fleet.example>',
    });
    expect(mail).toMatchObject({
      text: 'It was updated.\n',
      html: '<p>It was updated.</p>',
      attachments: [
        { fileName: 'notification-4711-98213.json', contentType: 'application/json', content: '{"key":1}' },
      ],
    });
  });

  test('has the same Message-ID when it is sent again', async () => {
    const server = await startMailServer();
    const channel = channelTo(`smtp://${server.place}`);
    await channel.send(someMail());
    await channel.send(someMail());
    const ids = server.received.flatMap(({ bytes }) => headersNamed(readMail(bytes), 'message-id'));
    expect(ids).toEqual(['<4711-98213@fleet.example>', '<4711-98213@fleet.example>']);
  });

  test('keeps text that is long, not ASCII, or begins with dots', async () => {
    const server = await startMailServer();
    const text = `.\n..\nÆrøskøbing 港口 🚢\n${'x'.repeat(5_000)}\n--boundary\n`;
    await channelTo(`smtp://${server.place}`).send(someMail({ text, subject: 'Ærøskøbing 港口 🚢' }));
    const mail = readMail(server.received[0]!.bytes);
    expect(mail.text).toBe(text);
    expect(headersNamed(mail, 'subject')).toEqual(['Ærøskøbing 港口 🚢']);
    expect(
      server.received[0]!.bytes.toString('latin1')
        .split('\r\n')
        .every((line) => line.length <= 998),
    ).toBe(true);
  });

  test('has no control characters but line breaks and tabs', async () => {
    const server = await startMailServer();
    await channelTo(`smtp://${server.place}`).send(someMail({ text: 'a\0b\x1b[31m\tc\rd\r\ne\u0085' }));
    expect(readMail(server.received[0]!.bytes).text).toBe('a\uFFFDb\uFFFD[31m\tc\nd\ne\uFFFD');
  });

  test('shares few connections with many others', async () => {
    const server = await startMailServer();
    const channel = channelTo(`smtp://${server.place}`);
    const results = await Promise.all(
      Array.from({ length: 60 }, (_, index) => channel.send(someMail({ id: `1-${index}` }))),
    );
    expect(results.filter(({ kind }) => kind === 'delivered')).toHaveLength(60);
    expect(server.connections).toBeLessThanOrEqual(4);
    expect(new Set(server.received.map(({ bytes }) => headersNamed(readMail(bytes), 'message-id')[0])).size).toBe(60);
  });

  test('goes over a new connection after a hundred', async () => {
    const server = await startMailServer();
    const channel = channelTo(`smtp://${server.place}`);
    for (let count = 0; count < 101; count += 1) await channel.send(someMail({ attachment: undefined }));
    expect(server.received).toHaveLength(101);
    expect(server.connections).toBe(2);
  });

  test('goes over a new connection where the server has ended the old one meanwhile', async () => {
    const polite = new Map<Socket, (line: string) => string | undefined>();
    let mails = 0;
    const server = await startScriptedServer((line, socket) => {
      if (!polite.has(socket)) polite.set(socket, politely({}));
      if (line.startsWith('MAIL')) mails += 1;
      if (line.startsWith('MAIL') && mails === 2) socket.destroy();
      return polite.get(socket)!(line);
    });
    const channel = channelTo(`smtp://${server.place}`);
    expect(await channel.send(someMail())).toMatchObject({ kind: 'delivered' });
    expect(await channel.send(someMail())).toMatchObject({ kind: 'delivered' });
    expect(server.connections).toBe(2);
  });
});

describe.skipIf(!hasOpenssl)('TLS and login', () => {
  const certificate = hasOpenssl ? useAuthority().selfSigned('DNS:localhost,IP:127.0.0.1') : { key: '', cert: '' };
  const trusted = `tls.ca=${encodeURIComponent(certificate.cert)}`;
  const login: SMTPServerOptions = {
    authOptional: false,
    onAuth: ({ username, password }, _, done) =>
      username === 'fleet@example' && password === 'pass/word: 1'
        ? done(null, { user: username })
        : done(refusal(535, `Login of ${username} with ${password} refused`)),
  };
  const user = 'fleet%40example:pass%2Fword%3A%201';

  test('STARTTLS is used where it is offered', async () => {
    const server = await startMailServer({ ...certificate });
    const result = await channelTo(`smtp://${server.place}?${trusted}`).send(someMail());
    expect(result).toMatchObject({ kind: 'delivered' });
    expect(server.received[0]).toMatchObject({ isSecure: true });
  });

  test('smtps is TLS from the first byte', async () => {
    const server = await startMailServer({ ...certificate, secure: true });
    const result = await channelTo(`smtps://${server.place}?${trusted}`).send(someMail());
    expect(result).toMatchObject({ kind: 'delivered' });
    expect(server.received[0]).toMatchObject({ isSecure: true });
  });

  test('the authorities of FLAGHOIST_CA_FILE are trusted, with STARTTLS and from the first byte', async () => {
    for (const scheme of ['smtp', 'smtps']) {
      const server = await startMailServer({ ...certificate, secure: scheme === 'smtps' });
      const result = await channelTo(`${scheme}://${server.place}`, 5_000, [certificate.cert]).send(someMail());
      expect(result).toMatchObject({ kind: 'delivered' });
      expect(server.received[0]).toMatchObject({ isSecure: true });
    }
  });

  test('an untrusted certificate is a fault on our side, and no mail is sent unencrypted instead', async () => {
    for (const scheme of ['smtp', 'smtps']) {
      const server = await startMailServer({ ...certificate, secure: scheme === 'smtps' });
      const result = await channelTo(`${scheme}://${server.place}`).send(someMail());
      expect(result).toMatchObject({ kind: 'ownFault', reason: expect.stringContaining('self-signed') });
      expect(server.received).toEqual([]);
    }
  });

  test('requireTLS keeps a mail back from a server without TLS', async () => {
    const server = await startMailServer();
    const result = await channelTo(`smtp://${server.place}?requireTLS=true`).send(someMail());
    expect(result).toMatchObject({ kind: 'ownFault' });
    expect(server.received).toEqual([]);
  });

  test('user and password of the URL log in', async () => {
    const server = await startMailServer({ ...certificate, ...login });
    const result = await channelTo(`smtp://${user}@${server.place}?${trusted}`).send(someMail());
    expect(result).toMatchObject({ kind: 'delivered' });
    expect(server.received[0]).toMatchObject({ user: 'fleet@example', isSecure: true });
  });

  test('a rejected login is our own fault; the reason has no password, although the server repeats it', async () => {
    const server = await startMailServer({ ...certificate, ...login });
    const result = await channelTo(`smtp://fleet%40example:wrong-S3cret@${server.place}?${trusted}`).send(someMail());
    expect(result).toMatchObject({ kind: 'ownFault', reason: expect.stringContaining('(login)') });
    expect(JSON.stringify(result)).not.toContain('wrong-S3cret');
    expect(JSON.stringify(result)).toContain('***');
  });

  test('a login that the server does not offer is a fault on our side', async () => {
    const server = await startScriptedServer(politely({}));
    const result = await channelTo(`smtp://fleet:secret@${server.place}`).send(someMail());
    expect(result).toMatchObject({ kind: 'ownFault', reason: expect.stringContaining('offers no login') });
    expect(server.heard.join('\n')).not.toMatch(/MAIL|AUTH/);
  });
});

describe('what the server refuses', () => {
  test.each([550, 450, 553, 451])('an address with %i is a failure that tells its answer', async (code) => {
    const server = await startMailServer({
      onRcptTo: (_, __, done) => done(refusal(code, '5.1.1 No such user here')),
    });
    expect(await channelTo(`smtp://${server.place}`).send(someMail())).toEqual({
      kind: 'failed',
      reason: `The mail server rejected the address: ${code} 5.1.1 No such user here`,
      statusCode: code,
      answer: `${code} 5.1.1 No such user here`,
      retryAfterMs: undefined,
    });
  });

  test('a mail with 554 is a failure that tells its answer', async () => {
    const server = await startMailServer({
      onData(stream, _, done) {
        stream.resume();
        stream.on('end', () => done(refusal(554, '5.6.0 Not wanted')));
      },
    });
    expect(await channelTo(`smtp://${server.place}`).send(someMail())).toMatchObject({
      kind: 'failed',
      reason: 'The mail server rejected the mail: 554 5.6.0 Not wanted',
      statusCode: 554,
    });
  });

  test('a mail that is larger than it takes is a failure', async () => {
    const server = await startMailServer({ size: 1_000 });
    const attachment = { fileName: 'a.json', contentType: 'application/json', content: 'x'.repeat(5_000) };
    expect(await channelTo(`smtp://${server.place}`).send(someMail({ attachment }))).toMatchObject({
      kind: 'failed',
      reason: expect.stringContaining('larger than the mail server accepts'),
    });
  });

  test('the answer is told without control characters, and without hosts and addresses of ours', async () => {
    const answer =
      '550-5.7.1 [10.1.2.3] via 2001:db8::17: \x1b[31mno\x07\r\n550 5.7.1 says 127.0.0.1:25, mail from 192.168.0.9.';
    const server = await startScriptedServer(politely({ RCPT: answer }));
    expect(await channelTo(`smtp://${server.place}`).send(someMail())).toMatchObject({
      kind: 'failed',
      answer: '550 5.7.1 […] via …: U+001B[31mnoU+0007 says …:25, mail from ….',
    });
  });

  test('a long answer is cut', async () => {
    const server = await startScriptedServer(politely({ RCPT: `550 ${'🚢'.repeat(2_000)}` }));
    const result = await channelTo(`smtp://${server.place}`).send(someMail());
    if (result.kind !== 'failed') throw new Error(`It is ${result.kind}.`);
    expect(result.answer!.length).toBeLessThanOrEqual(1_024);
    expect(result.answer).not.toMatch(/[\ud800-\udbff]$/);
    expect(result.reason.length).toBeLessThan(400);
  });

  test('the next mail goes through', async () => {
    const server = await startMailServer({
      onRcptTo: ({ address }, _, done) => done(address.startsWith('ghost') ? refusal(550, 'No such user') : null),
    });
    const channel = channelTo(`smtp://${server.place}`);
    expect(await channel.send(someMail())).toMatchObject({ kind: 'delivered' });
    expect(await channel.send(someMail({ to: 'ghost@agent.example' }))).toMatchObject({ kind: 'failed' });
    expect(await channel.send(someMail())).toMatchObject({ kind: 'delivered' });
  });
});

describe('FLT-38: a server that cannot be used is a fault on our side', () => {
  test('a server that is down, or whose name is not known', async () => {
    const port = await freePort();
    for (const place of [`127.0.0.1:${port}`, 'no-such-host.invalid'])
      expect(await channelTo(`smtp://${place}`).send(someMail())).toMatchObject({
        kind: 'ownFault',
        reason: expect.stringContaining('(connection)'),
      });
  });

  test.each([
    ['421 as its greeting', { '': '421 Too busy' }],
    ['554 as its greeting', { '': '554 Go away' }],
    ['a sender that it refuses', { MAIL: '550 5.1.8 Not you' }],
    ['421 to the sender', { MAIL: '421 Closing' }],
    ['421 to the recipient', { RCPT: '421 Closing' }],
    ['421 to the mail', { '.': '421 Closing' }],
    ['a login that it wants', { RCPT: '530 5.7.0 Authentication required' }],
    ['a full disk', { RCPT: '452 4.3.1 Insufficient system storage' }],
    ['no SMTP at all', { '': 'HTTP/1.1 400 Bad Request' }],
  ])('%s', async (_, otherwise) => {
    const server = await startScriptedServer(politely(otherwise));
    expect(await channelTo(`smtp://${server.place}`).send(someMail())).toMatchObject({ kind: 'ownFault' });
  });

  test.each(['', 'EHLO', 'MAIL', 'RCPT', 'DATA', '.'])(
    'a server that hangs after %j: the mail ends with its deadline',
    async (word) => {
      const server = await startScriptedServer(politely({ [word]: undefined }));
      expect(await channelTo(`smtp://${server.place}`, 300).send(someMail())).toEqual({
        kind: 'ownFault',
        reason: 'The mail server could not be used (connection): not sent within the time limit',
      });
    },
  );

  test(
    'a server that answers a byte now and then: the mail ' + 'ends with its deadline, and so does the connection',
    async () => {
      let isGone = false;
      const server = await startScriptedServer((line, socket) => {
        if (!line.startsWith('EHLO')) return line === '' ? '220 Hello' : undefined;
        const drip = setInterval(() => socket.write('250-x\r\n'), 20);
        socket.on('close', () => {
          clearInterval(drip);
          isGone = true;
        });
        return undefined;
      });
      expect(await channelTo(`smtp://${server.place}`, 300).send(someMail())).toMatchObject({ kind: 'ownFault' });
      await expect.poll(() => isGone).toBe(true);
    },
  );

  test('a server that hangs delays no mail beyond its deadline, however many are waiting', async () => {
    const server = await startScriptedServer(() => undefined);
    const channel = channelTo(`smtp://${server.place}`, 10_000);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const sent = Array.from({ length: 30 }, () => channel.send(someMail()));
    while (server.connections < 4 || vi.getTimerCount() < 30) await new Promise(setImmediate);
    // One deadline, and no more time than that for those that wait: they would never end.
    vi.advanceTimersByTime(10_000);
    expect((await Promise.all(sent)).every(({ kind }) => kind === 'ownFault')).toBe(true);
    // The server still sees some that have ended.
    expect(server.peak).toBeLessThanOrEqual(8);
  });

  test('a connection that ends in the middle of the mail', async () => {
    const polite = politely({});
    const server = await startScriptedServer((line, socket) => {
      if (line.startsWith('Subject')) socket.destroy();
      return polite(line);
    });
    expect(await channelTo(`smtp://${server.place}`).send(someMail())).toMatchObject({ kind: 'ownFault' });
  });
});

describe('the end', () => {
  test('mails in progress are finished, and new ones are rejected', async () => {
    let take: (() => void) | undefined;
    const server = await startMailServer({
      onRcptTo(_, __, done) {
        take = done;
      },
    });
    const channel = createSmtpChannel({ url: `smtp://${server.place}`, from, timeoutMs: 5_000 });
    const under = channel.send(someMail());
    await expect.poll(() => take).toBeDefined();
    const closing = channel.close();
    setImmediate(() => take?.());
    await closing;
    expect(server.received).toHaveLength(1);
    expect(await under).toMatchObject({ kind: 'delivered' });
    expect(await channel.send(someMail())).toMatchObject({
      kind: 'ownFault',
      reason: expect.stringContaining('stopping'),
    });
  });
});
