// A simple issuer on loopback that can misbehave on request. It counts its requests, and signs whatever a test wants
// signed.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';
import { testAudience } from '../support/access.ts';

export type Answer = (request: IncomingMessage, response: ServerResponse) => void;

export interface IssuerKey {
  kid: string;
  algorithm: string;
  publicJwk: JWK;
  privateKey: CryptoKey;
}

export interface LoopbackIssuer {
  readonly url: string;
  /** The paths that were asked for, in order. */
  readonly asked: string[];
  /** What it answers instead of the usual, by path; `*` is every path. */
  readonly faults: Map<string, Answer>;
  /** Members of its metadata, over the usual ones. */
  metadata: Record<string, unknown>;
  /** What its key set lists. */
  listed: unknown[];
  /** Makes a key and lists it. */
  addKey(kid: string, algorithm?: string): Promise<IssuerKey>;
  stop(): Promise<void>;
}

export const discoveryPath = '/.well-known/openid-configuration';
export const keysPath = '/keys';

export async function startLoopbackIssuer(path = ''): Promise<LoopbackIssuer> {
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => answer(issuer, path, request, response));
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer: LoopbackIssuer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
    asked: [],
    faults: new Map(),
    metadata: {},
    listed: [],
    async addKey(kid, algorithm = 'ES256') {
      const key = await makeKey(kid, algorithm);
      issuer.listed.push(key.publicJwk);
      return key;
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
  return issuer;
}

export async function makeKey(kid: string, algorithm: string): Promise<IssuerKey> {
  const { publicKey, privateKey } = await generateKeyPair(algorithm, { extractable: true });
  return {
    kid,
    algorithm,
    privateKey,
    publicJwk: { ...(await exportJWK(publicKey)), kid, use: 'sig', alg: algorithm },
  };
}

export interface TokenOptions {
  nowMs?: number;
  /** Over the usual ones; undefined leaves one out. */
  claims?: Record<string, unknown>;
  header?: Record<string, unknown>;
}

/** A good token, but for what the options change. */
export function signToken(issuer: string, key: IssuerKey, options: TokenOptions = {}): Promise<string> {
  const issued = Math.floor((options.nowMs ?? Date.now()) / 1000);
  const claims = {
    iss: issuer,
    aud: testAudience,
    sub: 'fleet-planner',
    client_id: 'fleet-planner',
    iat: issued,
    exp: issued + 3600,
    ...options.claims,
  };
  return new SignJWT(claims)
    .setProtectedHeader({ alg: key.algorithm, kid: key.kid, typ: 'at+jwt', ...options.header })
    .sign(key.privateKey);
}

function answer(issuer: LoopbackIssuer, path: string, request: IncomingMessage, response: ServerResponse): void {
  const asked = request.url ?? '';
  issuer.asked.push(asked);
  const fault = issuer.faults.get(asked) ?? issuer.faults.get('*');
  if (fault) fault(request, response);
  else if (asked === `${path}${discoveryPath}`)
    sendJson(response, { issuer: issuer.url, jwks_uri: `${issuer.url}${keysPath}`, ...issuer.metadata });
  else if (asked === `${path}${keysPath}`) sendJson(response, { keys: issuer.listed });
  else response.writeHead(404).end();
}

export function sendJson(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
