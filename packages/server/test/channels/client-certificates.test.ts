// Client certificates and private authorities: each subscriber's certificate goes over its own connections, and a
// receiver that wants another one is recorded with what to do.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { PeerCertificate, TLSSocket } from 'node:tls';
import { describe, expect, onTestFinished, test } from 'vitest';
import { tlsIdentityOf } from '../../src/channels/guard/tls-identity.ts';
import { parseCaFile } from '../../src/config/ca-file.ts';
import { parseProxyUrl } from '../../src/config/proxy-url.ts';
import { type Authority, type Certificate, hasOpenssl, useAuthority } from './certificates.ts';
import { startProxy } from './connect-proxy.ts';
import { type ChannelWishes, closedPort, failure, openChannel } from './receiver.ts';

interface Caller {
  names: string | undefined;
  port: number | undefined;
  isResumed: boolean;
}

describe.skipIf(!hasOpenssl)('with openssl', () => {
  const authority = hasOpenssl ? useAuthority() : ({} as Authority);
  const stranger = hasOpenssl ? useAuthority() : ({} as Authority);
  const server = hasOpenssl ? authority.issue('DNS:receiver.localhost,DNS:agent.example') : ({} as Certificate);
  const authorities = () => parseCaFile(authority.path);
  const identity = ({ cert, key }: Certificate) => tlsIdentityOf({ type: 'MTLS', certificate: cert, privateKey: key });

  /** Demands a certificate of the authority. */
  async function startDemanding(maxVersion: 'TLSv1.2' | 'TLSv1.3' = 'TLSv1.3', closes = false) {
    const callers: Caller[] = [];
    const options = {
      ...server,
      ca: authorities() as string[],
      requestCert: true,
      rejectUnauthorized: true,
      maxVersion,
    };
    const receiver = createServer(options, (request, response) => {
      const socket = request.socket as TLSSocket;
      const { subjectaltname: names } = socket.getPeerCertificate() as PeerCertificate;
      callers.push({ names, port: socket.remotePort, isResumed: socket.isSessionReused() });
      request.resume();
      if (closes) response.setHeader('connection', 'close');
      response.end('ok');
    });
    receiver.on('tlsClientError', () => undefined);
    receiver.listen(0, '127.0.0.1');
    await once(receiver, 'listening');
    onTestFinished(() => {
      receiver.close();
      receiver.closeAllConnections();
    });
    const { port } = receiver.address() as AddressInfo;
    return { url: `https://receiver.localhost:${port}/`, port, callers };
  }

  function openSender(wishes: ChannelWishes = {}) {
    const channel = openChannel({ authorities: authorities(), ...wishes });
    return (url: string, certificate?: Certificate) =>
      channel.send({ url, headers: [], body: '{}', identity: certificate && identity(certificate) });
  }

  const delivered = { kind: 'delivered', statusCode: 200, answer: 'ok' };

  test.each(['TLSv1.2', 'TLSv1.3'] as const)('the certificate is presented, with %s', async (version) => {
    const receiver = await startDemanding(version);
    expect(await openSender()(receiver.url, authority.issue('DNS:us'))).toEqual(delivered);
    expect(receiver.callers).toMatchObject([{ names: 'DNS:us' }]);
  });

  test('two certificates at one receiver never share a connection, nor a TLS session', async () => {
    const [one, other] = [authority.issue('DNS:one'), authority.issue('DNS:other')];
    const kept = await startDemanding();
    const send = openSender();
    for (const certificate of [one, other, one, other]) await send(kept.url, certificate);
    expect(kept.callers.map(({ names }) => names)).toEqual(['DNS:one', 'DNS:other', 'DNS:one', 'DNS:other']);
    const ports = kept.callers.map(({ port }) => port);
    expect([ports[0], ports[1]]).toEqual([ports[2], ports[3]]);
    expect(ports[0]).not.toBe(ports[1]);

    const closing = await startDemanding('TLSv1.3', true);
    for (const certificate of [one, other, one, other]) await send(closing.url, certificate);
    expect(closing.callers.map(({ names }) => names)).toEqual(['DNS:one', 'DNS:other', 'DNS:one', 'DNS:other']);
    expect(closing.callers.map(({ isResumed }) => isResumed)).toEqual([false, false, true, true]);
  });

  test('without a certificate, and with a wrong one, the reason tells what to do', async () => {
    const receiver = await startDemanding();
    const send = openSender();
    await send(receiver.url, authority.issue('DNS:right'));
    expect(await send(receiver.url)).toEqual(
      failure('The receiver demands a client certificate: set channelInfo.auth of the type MTLS.'),
    );
    const result = await send(receiver.url, stranger.issue('DNS:wrong'));
    expect(result).toMatchObject({
      kind: 'failed',
      reason: expect.stringContaining('set another one in channelInfo.auth'),
    });
    expect(receiver.callers).toHaveLength(1);
  });

  test('a receiver that rejects the issuer with an alert is recorded with that', async () => {
    const port = await closedPort();
    const folder = authority.path.replace('ca.pem', '');
    writeFileSync(`${folder}s.pem`, server.cert);
    writeFileSync(`${folder}s.key`, server.key);
    const args = ['s_server', '-accept', String(port), '-cert', 's.pem', '-key', 's.key', '-CAfile', 'ca.pem'];
    const child = spawn('openssl', [...args, '-Verify', '2', '-verify_return_error', '-www'], { cwd: folder });
    onTestFinished(() => void child.kill());
    await once(child.stdout, 'data');
    const result = await openSender()(`https://receiver.localhost:${port}/`, stranger.issue('DNS:wrong'));
    expect(result).toMatchObject({
      kind: 'failed',
      reason: expect.stringMatching(
        /^(The receiver does not accept the client certificate|The connection was closed).*channelInfo\.auth\.$/,
      ),
    });
  });

  test('through a proxy, TLS is verified against the name, end to end', async () => {
    const receiver = await startDemanding();
    const proxy = await startProxy({
      ports: { 'agent.example:443': receiver.port, 'other.example:443': receiver.port },
    });
    const send = openSender({ proxy: parseProxyUrl(`http://127.0.0.1:${proxy.port}`) });
    expect(await send('https://agent.example/', authority.issue('DNS:us'))).toEqual(delivered);
    expect(await send('https://other.example/', authority.issue('DNS:us'))).toEqual(
      failure('The TLS certificate is not valid: it is for another name.'),
    );
    expect(proxy.asked).toEqual(['agent.example:443', 'other.example:443']);
  });

  test('an authority is trusted only if the operator has added it', async () => {
    const receiver = await startDemanding();
    const reason = 'The TLS certificate is not valid: its issuer is not known, or the chain is not complete.';
    const us = authority.issue('DNS:us');
    expect(await openSender({ authorities: undefined })(receiver.url, us)).toEqual(failure(reason));
    expect(await openSender({ authorities: parseCaFile(stranger.path) })(receiver.url, us)).toEqual(failure(reason));
  });

  test('a file of authorities that is missing, empty, broken or has a key is rejected', () => {
    const folder = authority.path.replace('ca.pem', '');
    const write = (name: string, text: string) => {
      writeFileSync(`${folder}${name}`, text);
      return `${folder}${name}`;
    };
    const pem = readFileSync(authority.path, 'utf8');
    expect(parseCaFile(write('two.pem', `# ours\n${pem}\n${pem}`))).toHaveLength(2);
    expect(() => parseCaFile(`${folder}missing.pem`)).toThrow(/^cannot be read: ENOENT/);
    expect(() => parseCaFile(folder)).toThrow(/^cannot be read: EISDIR/);
    expect(() => parseCaFile(write('empty.pem', ''))).toThrow(/^must be a file with certificates as PEM/);
    expect(() => parseCaFile(write('key.pem', server.key))).toThrow(/private key/);
    const broken = pem.replace(/\n[^-\n]{20}/, '\nAAAAAAAAAAAAAAAAAAAA');
    expect(() => parseCaFile(write('broken.pem', `${pem}${broken}`))).toThrow(/number 2 in it is none/);
  });
});
