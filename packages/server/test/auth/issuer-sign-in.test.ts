// What an external issuer may answer to a sign-in, and what it must not: the answers of its token endpoint, its ID tokens
// and its metadata. No answer gets into the log as it came.

import type { IncomingMessage } from 'node:http';
import { describe, expect, test } from 'vitest';
import { openEncryption } from '../../src/auth/encryption/encryption.ts';
import { readMetadata } from '../../src/auth/external-issuer/issuer-keys.ts';
import { openAuthorization } from '../../src/auth/issuer-sign-in/authorization.ts';
import { createIssuerSignIn } from '../../src/auth/issuer-sign-in/issuer-sign-in.ts';
import { createOperatorPost } from '../../src/channels/http/operator-get.ts';
import { ApiError } from '../../src/errors.ts';
import { parseJson } from '../../src/json/parse-json.ts';
import type { Observation } from '../../src/observe/observation.ts';
import { testAudience } from '../support/access.ts';
import { type Answer, type IssuerKey, makeKey, sendJson } from './loopback-issuer.ts';
import { type OpenIssuer, openIssuer } from './open-issuer.ts';

const encryption = openEncryption(Buffer.alloc(32, 7));
const code = 'a-code-that-must-not-be-in-the-log';
const consoleSecret = 'a-secret+of/the console=%';

interface Outcome {
  result: string;
  observed: Observation[];
  /** What the token endpoint was sent. */
  sent: URLSearchParams;
  authorization: string | undefined;
}

interface Situation {
  open: OpenIssuer;
  nonce: string;
}

type Respond = (situation: Situation) => Promise<Answer> | Answer;

/** Begins a sign-in, and redeems it at an issuer that responds like this. */
async function redeem(respond: Respond, metadata = {}): Promise<Outcome> {
  const open = await openIssuer({
    prepare: (loopback) => {
      loopback.metadata = {
        authorization_endpoint: `${loopback.url}/authorize`,
        token_endpoint: `${loopback.url}/token`,
        ...metadata,
      };
    },
  });
  const { issuer, keys, external, clock, observations } = open;
  observations.length = 0;
  const signIn = createIssuerSignIn({
    issuerUrl: issuer.url,
    keys,
    verifier: external,
    post: createOperatorPost({ egressProxy: undefined, certificateAuthorities: undefined }),
    client: { clientId: 'fleet console', clientSecret: consoleSecret },
    scope: undefined,
    audience: testAudience,
    redirectUrl: 'https://fleet.example/console',
    encryption,
    clock,
    observe: (observation) => observations.push(observation),
  });
  const outcome: Outcome = {
    result: '',
    observed: observations,
    sent: new URLSearchParams(),
    authorization: undefined,
  };
  try {
    const { sealed } = await signIn.begin();
    const { state, nonce } = openAuthorization(sealed, encryption, clock.nowMs())!;
    const answer = await respond({ open, nonce });
    issuer.faults.set('/token', (request, response) => {
      void readForm(request).then((form) => {
        Object.assign(outcome, { sent: form, authorization: request.headers.authorization });
        answer(request, response);
      });
    });
    const tokens = await signIn.redeem({ authorizationCode: code, state }, sealed);
    outcome.result = tokens === 'rejected' ? tokens : tokens.clientId;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    outcome.result = error.code;
  }
  const log = JSON.stringify(observations);
  for (const secret of [code, consoleSecret, 'planted']) expect(log).not.toContain(secret);
  return outcome;
}

async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return new URLSearchParams(Buffer.concat(chunks).toString());
}

function json(status: number, body: unknown): Answer {
  return (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
}

const noIdToken = 'The issuer sent no ID token for this sign-in.';

interface Changes {
  tokens?: Record<string, unknown>;
  idClaims?: Record<string, unknown>;
  idKey?: IssuerKey;
}

/** Good tokens, but for what is changed. */
function tokens({ tokens: changed = {}, idClaims = {}, idKey }: Changes = {}): Respond {
  return async ({ open, nonce }) => {
    const claims = { sub: 'jane', client_id: 'fleet-console' };
    const id = { aud: 'fleet console', sub: 'jane', client_id: undefined, nonce, ...idClaims };
    const body = {
      access_token: await open.sign(open.key, { claims }),
      token_type: 'bearer',
      refresh_token: 'planted-refresh-token',
      id_token: await open.sign(idKey ?? open.key, { claims: id, header: { typ: undefined } }),
      ...changed,
    };
    return (_, response) => sendJson(response, body);
  };
}

test('good tokens are taken, and the person is found in the access token', async () => {
  const { result, sent, observed } = await redeem(tokens());
  expect(result).toBe('sub:jane');
  expect(Object.fromEntries(sent)).toEqual({
    grant_type: 'authorization_code',
    code,
    redirect_uri: 'https://fleet.example/console',
    code_verifier: expect.stringMatching(/^[\w-]{43}$/),
    audience: testAudience,
    resource: testAudience,
  });
  expect(observed).toEqual([]);
});

describe('the console authenticates', () => {
  const basic = `Basic ${Buffer.from('fleet+console:a-secret%2Bof%2Fthe+console%3D%25').toString('base64')}`;
  test.each([
    [undefined, basic],
    [['client_secret_basic', 'client_secret_post'], basic],
    [['private_key_jwt'], basic],
  ])('by HTTP Basic, form-encoded, where the issuer supports %j', async (supported, expected) => {
    const { authorization, sent } = await redeem(tokens(), { token_endpoint_auth_methods_supported: supported });
    expect([authorization, sent.has('client_secret'), sent.has('client_id')]).toEqual([expected, false, false]);
  });

  test('in the body, where the issuer supports nothing else', async () => {
    const supported = { token_endpoint_auth_methods_supported: ['client_secret_post', 'none'] };
    const { authorization, sent } = await redeem(tokens(), supported);
    expect([authorization, sent.get('client_id'), sent.get('client_secret')]).toEqual([
      undefined,
      'fleet console',
      consoleSecret,
    ]);
  });
});

describe('the token endpoint', () => {
  test.each<[string, Answer, string, RegExp | undefined]>([
    ['rejects the code', json(400, { error: 'invalid_grant', error_description: code }), 'rejected', undefined],
    ['rejects it with 401', json(401, { error: 'invalid_grant' }), 'rejected', undefined],
    [
      'rejects the console',
      json(401, { error: 'invalid_client', error_description: consoleSecret }),
      'issuerFault',
      /\/token responded with invalid_client\.$/,
    ],
    ['names no error', json(400, { message: code }), 'issuerFault', /\/token responded with status 400\.$/],
    ['names an error of its own', json(400, { error: `<script> ${code}` }), 'issuerFault', /with status 400\.$/],
    ['has an error of its own', json(500, { error: 'invalid_grant' }), 'issuerAway', /responded with status 500\.$/],
    ['limits the rate', json(429, {}), 'issuerAway', /responded with status 429\.$/],
    ['cuts the connection', (request) => request.socket.destroy(), 'issuerAway', /\/token cannot be reached: /],
    ['answers no JSON', (_, response) => response.end('<html>planted'), 'issuerAway', /that is not JSON\.$/],
    ['answers a list', json(200, []), 'issuerFault', /responded without a Bearer token\.$/],
    ['answers no token', json(200, { token_type: 'Bearer' }), 'issuerFault', /without a Bearer token\.$/],
    ['answers another type', json(200, { access_token: 'planted', token_type: 'mac' }), 'issuerFault', /without a Be/],
    [
      'redirects',
      (_, response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
      'issuerAway',
      /\/token cannot be reached/,
    ],
    ['answers 2 MB', json(200, { access_token: 'x'.repeat(2_000_000) }), 'issuerAway', /more than 1048576 bytes\.$/],
  ])('%s', async (_, answer, result, reason) => {
    const outcome = await redeem(() => answer);
    expect(outcome.result).toBe(result);
    expect(outcome.observed).toEqual(
      reason === undefined ? [] : [{ kind: 'console.issuerFailed', reason: expect.stringMatching(reason) }],
    );
  });
});

describe('tokens are rejected', () => {
  const now = () => Math.floor(Date.now() / 1000);
  test.each<[string, Changes, RegExp]>([
    ['without an ID token', { tokens: { id_token: undefined } }, /no ID token/],
    ['with an ID token that is none', { tokens: { id_token: 'planted' } }, /no ID token/],
    ['with the ID token of another sign-in', { idClaims: { nonce: 'another' } }, /no ID token/],
    ['with an ID token without a nonce', { idClaims: { nonce: undefined } }, /no ID token/],
    ['with the ID token of another client', { idClaims: { aud: 'other' } }, /no ID token/],
    ['with the ID token of another issuer', { idClaims: { iss: 'http://127.0.0.1:1' } }, /no ID token/],
    ['with an ID token that is over', { idClaims: { iat: now() - 60, exp: now() - 30 } }, /no ID token/],
    ['with an access token that is none', { tokens: { access_token: 'planted' } }, /not a JWT for the audience/],
  ])('%s', async (_, changes, reason) => {
    const { result, observed } = await redeem(tokens(changes));
    expect(result).toBe('issuerFault');
    expect(observed).toEqual([{ kind: 'console.issuerFailed', reason: expect.stringMatching(reason) }]);
  });

  test('with an ID token that another key has signed under the same name', async () => {
    const { result, observed } = await redeem(tokens({ idKey: await makeKey('first', 'ES256') }));
    expect([result, observed]).toEqual(['issuerFault', [{ kind: 'console.issuerFailed', reason: noIdToken }]]);
  });

  test('with the ID token in place of the access token', async () => {
    const { result } = await redeem(async (situation) => {
      const { open, nonce } = situation;
      const claims = { aud: [testAudience, 'fleet console'], client_id: undefined, azp: 'fleet-console', nonce };
      const token = await open.sign(open.key, { claims, header: { typ: 'JWT' } });
      return tokens({ tokens: { access_token: token, id_token: token } })(situation);
    });
    expect(result).toBe('issuerFault');
  });
});

test.each([
  ['no authorization endpoint', { authorization_endpoint: undefined }],
  ['no token endpoint', { token_endpoint: undefined }],
  ['an endpoint that is no URL', { token_endpoint: 'token' }],
  ['an endpoint of another kind', { authorization_endpoint: 'javascript:alert(1)' }],
])('an issuer with %s is reported to the operator', async (_, metadata) => {
  const { result, observed } = await redeem(tokens(), metadata);
  expect([result, observed]).toEqual([
    'issuerFault',
    [
      {
        kind: 'console.issuerFailed',
        reason: 'The metadata of the issuer has no authorization_endpoint and token_endpoint.',
      },
    ],
  ]);
});

test('an https issuer cannot send people or codes to http', () => {
  const issuer = 'https://x.example';
  const read = (change: object) =>
    readMetadata(
      parseJson(
        JSON.stringify({
          issuer,
          jwks_uri: `${issuer}/keys`,
          authorization_endpoint: `${issuer}/authorize`,
          token_endpoint: `${issuer}/token`,
          ...change,
        }),
      ),
      issuer,
      issuer,
    ).signIn;
  expect(read({})).toEqual({
    authorizationUrl: `${issuer}/authorize`,
    tokenUrl: `${issuer}/token`,
    clientAuthentication: undefined,
  });
  expect(read({ token_endpoint: 'http://x.example/token' })).toBeUndefined();
  expect(read({ authorization_endpoint: 'http://x.example/authorize' })).toBeUndefined();
});
