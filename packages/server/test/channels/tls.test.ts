// TLS: verified against the name in the URL, 1.2 or later, and not one byte of a notification before that.

import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { createServer, type TLSSocket, type TlsOptions } from 'node:tls';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createTlsOpener } from '../../src/channels/guard/open-tls.ts';
import type { SendResult } from '../../src/channels/send-result.ts';
import { type Authority, type Certificate, hasOpenssl, useAuthority } from './certificates.ts';
import { sendFromChild } from './compiled-channel.ts';
import { failure, openChannel, startReceiver } from './receiver.ts';

const trustedNames = 'DNS:receiver.localhost,IP:127.0.0.1';

interface TlsReceiver {
  port: number;
  /** All that came through TLS. */
  received: string;
  servernames: (string | false | null)[];
  resumed: boolean[];
}

async function startTlsReceiver(options: TlsOptions, answer: string): Promise<TlsReceiver> {
  const receiver: TlsReceiver = { port: 0, received: '', servernames: [], resumed: [] };
  const sockets = new Set<Socket>();
  const server = createServer({ ALPNProtocols: ['h2', 'http/1.1'], ...options }, (socket: TLSSocket) => {
    receiver.servernames.push(socket.servername);
    receiver.resumed.push(socket.isSessionReused());
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      receiver.received += chunk;
      if (receiver.received.endsWith('}')) socket.end(answer);
    });
  });
  server.on('tlsClientError', () => undefined);
  server.on('connection', (socket: Socket) => sockets.add(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  receiver.port = (server.address() as AddressInfo).port;
  return receiver;
}

function withAuthority({ key, cert }: Certificate, { path }: Authority): Certificate {
  return { key, cert: `${cert}${readFileSync(path, 'utf8')}` };
}

const closing = 'HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n';
const delivered: SendResult = { kind: 'delivered', statusCode: 200, answer: null };

describe.skipIf(!hasOpenssl)('with certificates', () => {
  const authority = hasOpenssl ? useAuthority() : ({} as Authority);
  /** Of the same name, with another key: one that was trusted until it was replaced. */
  const formerAuthority = hasOpenssl ? useAuthority() : ({} as Authority);
  const sendTrusting = (urls: string[]) =>
    sendFromChild({ urls, environment: { NODE_EXTRA_CA_CERTS: authority.path, NODE_TLS_REJECT_UNAUTHORIZED: '0' } });

  test('SSD-25: a receiver is verified by its name, with a dot at the end or without, or by its address', async () => {
    const receiver = await startTlsReceiver(authority.issue(trustedNames), closing);
    const hosts = ['receiver.localhost', 'RECEIVER.localhost.', '127.0.0.1', 'receiver.localhost'];
    const urls = hosts.map((host) => `https://${host}:${receiver.port}/`);
    expect(await sendTrusting(urls)).toEqual(hosts.map(() => delivered));
    expect(receiver.servernames).toEqual(['receiver.localhost', 'receiver.localhost', false, 'receiver.localhost']);
    expect(receiver.received).toContain(`host: receiver.localhost.:${receiver.port}\r\n`);
    // The handshake of a receiver that is known is the short one.
    expect(receiver.resumed).toEqual([false, true, false, true]);
  });

  test.each<[string, () => TlsOptions, string]>([
    [
      'for another name',
      () => authority.issue('DNS:other.localhost'),
      'The TLS certificate is not valid: it is for another name.',
    ],
    ['that has expired', () => authority.issue(trustedNames, -1), 'The TLS certificate is not valid: it has expired.'],
    [
      'with a certificate that it signed itself',
      () => authority.selfSigned(trustedNames),
      'The TLS certificate is not valid: it is self-signed.',
    ],
    [
      'whose authority is not trusted any more',
      () => formerAuthority.issue(trustedNames),
      'The TLS certificate is not valid: its issuer is not known, or the chain is not complete.',
    ],
    [
      'that sends the authority along which is not trusted any more',
      () => withAuthority(formerAuthority.issue(trustedNames), formerAuthority),
      'The TLS certificate is not valid: its issuer is not known, or the chain is not complete.',
    ],
    [
      'for TLS 1.1 only',
      () => ({
        ...authority.issue(trustedNames),
        minVersion: 'TLSv1' as const,
        maxVersion: 'TLSv1.1' as const,
        ciphers: 'DEFAULT:@SECLEVEL=0',
      }),
      'TLS failed: the receiver must support TLS 1.2 or later.',
    ],
  ])(
    'FLT-13, SSD-26: a receiver %s gets nothing, even where the environment forgoes all checks',
    async (_, options, reason) => {
      const receiver = await startTlsReceiver(options(), closing);
      const results = await sendTrusting([`https://receiver.localhost:${receiver.port}/`]);
      expect(results).toEqual([{ kind: 'failed', reason, statusCode: null, answer: null }]);
      expect(receiver.received).toBe('');
    },
  );

  test('FLT-13, SSD-26: a receiver whose issuer nobody knows gets nothing', async () => {
    const receiver = await startTlsReceiver(authority.issue(trustedNames), closing);
    const result = await openChannel().post(`https://receiver.localhost:${receiver.port}/`);
    expect(result).toEqual(
      failure('The TLS certificate is not valid: its issuer is not known, or the chain is not complete.'),
    );
    expect(receiver.received).toBe('');
  });

  test('FLT-13, SSD-26: a receiver with a certificate that it signed itself gets nothing', async () => {
    const receiver = await startTlsReceiver(authority.selfSigned(trustedNames), closing);
    const result = await openChannel().post(`https://receiver.localhost:${receiver.port}/`);
    expect(result).toEqual(failure('The TLS certificate is not valid: it is self-signed.'));
    expect(receiver.received).toBe('');
  });
});

test('FLT-13: a handshake that drips is cut at the deadline', async () => {
  const receiver = await startReceiver({
    onConnect: (socket) => {
      // The beginning of a record that says it is long.
      const bytes = Buffer.from([0x16, 0x03, 0x03, 0x40, 0x00, ...Array<number>(500).fill(2)]);
      let at = 0;
      const timer = setInterval(() => socket.write(bytes.subarray(at, ++at)), 20);
      socket.on('close', () => clearInterval(timer));
    },
  });
  const result = await openChannel({ timeoutMs: 400 }).post(receiver.url.replace('http:', 'https:'));
  expect(result.kind === 'failed' && result.reason).toMatch(/^No (response|connection) within 0.4 s\.$/);
});

test.each<[string, Buffer, string]>([
  ['an alert', Buffer.from([0x15, 3, 3, 0, 2, 2, 40]), 'TLS failed: the handshake did not succeed.'],
  ['an answer without TLS', Buffer.from('HTTP/1.1 400 No\r\n\r\n'), 'TLS failed: the handshake did not succeed.'],
])('FLT-13: %s to the handshake is a failure', async (_, bytes, reason) => {
  const receiver = await startReceiver({ onConnect: (socket) => socket.once('data', () => socket.end(bytes)) });
  expect(await openChannel().post(receiver.url.replace('http:', 'https:'))).toEqual(failure(reason));
});

test('a connection that closes in the handshake is a failure', async () => {
  const receiver = await startReceiver({ onConnect: (socket) => socket.once('data', () => socket.resetAndDestroy()) });
  expect(await openChannel().post(receiver.url.replace('http:', 'https:'))).toEqual(
    failure('The connection was closed before a response arrived.'),
  );
});

test('a connection is closed if OpenSSL does not take the certificate that it should present', async () => {
  const receiver = await startReceiver();
  const socket = connect(receiver.port, '127.0.0.1');
  await once(socket, 'connect');
  const identity = { id: 'one', certificate: 'no certificate', privateKey: 'no key' };
  const limit = { endsAtMs: performance.now() + 5_000, signal: new AbortController().signal };
  const openTls = createTlsOpener(undefined, []);
  await expect(openTls(socket, { hostname: 'a.example', port: 443, identity }, limit)).rejects.toThrow();
  expect(socket.destroyed).toBe(true);
});
