// Tokens whose signature is not ours, in every way that has worked against other services: none is accepted, and none
// makes the service call another host. Rows have their ids in the list of hostile inputs.

import { constants, createHmac, createSign, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { describeUnharmed } from '../hostile/unharmed.ts';
import { administrator, administratorSettings } from '../support/access.ts';
import { type Claims, encode, signWith } from './forge-token.ts';
import { labelled } from './labelled.ts';
import { useTokenTarget } from './token-target.ts';

const target = useTokenTarget();
const { service, sink, forge } = target;
const own = {
  ec: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  rsa: generateKeyPairSync('rsa', { modulusLength: 2048 }),
  ed: generateKeyPairSync('ed25519'),
};
beforeAll(() => {
  const jwk = own.ec.publicKey.export({ format: 'jwk' });
  sink.content = JSON.stringify({ keys: [{ ...jwk, kid: 'mine', alg: 'ES256' }] });
});

test('a token that is signed as the service does it is taken', async () => {
  expect((await target.ask(forge().sign(forge().header(), forge().claims()))).status).toBe(200);
});

test.each(['none', 'None', 'NONE', 'nOnE', '', 'null', 'NONE '])('JWT-08, JWT-10 with alg "%s"', async (alg) => {
  const unsigned = `${encode(forge().header({ alg }))}.${encode(forge().claims())}`;
  for (const signature of ['', 'AA', signatureOf(service.token())])
    await target.expectRejected(`${unsigned}.${signature}`);
  await target.expectRejected(unsigned);
  await target.expectRejected(forge().sign(forge().header({ alg }), forge().claims()));
});

test.each(labelled([undefined, null, 0, ['ES256'], { alg: 'ES256' }, 'es256', 'ES256 ', 'ES256K', 'ES384', 'ES512']))(
  'JWT-41 with alg %s, though the key would fit',
  async (_, alg) => await target.expectRejected(forge().sign(forge().header({ alg }), forge().claims())),
);

test('JWT-11 none at all', async () => {
  const [header, claims] = service.token().split('.');
  for (const token of [`${header}.${claims}.`, `${header}.${claims}`, `${header}..`, `.${claims}.`, `..`])
    await target.expectRejected(token);
});

test('JWT-13 cut, or with one bit flipped', async () => {
  const [header, claims, signature] = service.token().split('.');
  await target.expectRejected(service.token().slice(0, -4));
  for (const byte of [0, 31, 32, 63]) {
    const bytes = Buffer.from(signature!, 'base64url');
    bytes[byte]! ^= 1;
    await target.expectRejected(`${header}.${claims}.${bytes.toString('base64url')}`);
  }
});

test('JWT-14 over other claims', async () => {
  const [header, claims, signature] = service.token().split('.');
  const changed = { ...(JSON.parse(Buffer.from(claims!, 'base64url').toString()) as Claims), sub: 'x', client_id: 'x' };
  await target.expectRejected(`${header}.${encode(changed)}.${signature}`);
  await target.expectRejected(`${header}.${encode(` ${Buffer.from(claims!, 'base64url')}`)}.${signature}`);
});

test('JWT-16, JWT-17 by HMAC with our public key as the secret, however it is written', async () => {
  const { x, y } = forge().publicJwk as { x: string; y: string };
  const point = Buffer.concat([Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]);
  const pem = forge().publicKey.export({ type: 'spki', format: 'pem' }) as string;
  const der = forge().publicKey.export({ type: 'spki', format: 'der' });
  const { body: jwks } = await service.get('/.well-known/jwks.json');
  const secrets = [
    ...[pem, pem.trim(), der, der.toString('base64'), der.toString('hex')],
    ...[JSON.stringify(forge().publicJwk), JSON.stringify(jwks), JSON.stringify(jwks.keys[0])],
    ...[point, Buffer.concat([Buffer.from([4]), point]), Buffer.from(x, 'base64url'), x, `${x}${y}`],
    ...['', forge().kid, administrator.clientId, 'secret'],
  ];
  for (const alg of ['HS256', 'HS384', 'HS512', 'ES256'])
    for (const secret of secrets) await target.expectRejected(hmacToken(forge().header({ alg }), secret));
});

test('JWT-19 by a key that the token brings along', async () => {
  for (const [alg, pair] of [
    ['ES256', own.ec],
    ['RS256', own.rsa],
    ['EdDSA', own.ed],
  ] as const) {
    const jwk = pair.publicKey.export({ format: 'jwk' });
    for (const kid of [forge().kid, 'mine', undefined])
      await target.expectRejected(
        signWith(pair.privateKey, forge().header({ alg, kid, jwk: { ...jwk, kid } }), forge().claims()),
      );
  }
});

test.each(['jku', 'x5u', 'jwks_uri', 'iss_uri'])(
  'JWT-20, JWT-22 by a key that the token points to with %s',
  async (name) => {
    for (const kid of [forge().kid, 'mine', undefined]) {
      const header = forge().header({ kid, [name]: sink.url('/keys') });
      await target.expectRejected(signWith(own.ec.privateKey, header, forge().claims()));
    }
    // Also where the token names it as its issuer.
    const claims = forge().claims({ iss: sink.url('') });
    await target.expectRejected(signWith(own.ec.privateKey, forge().header({ kid: 'mine' }), claims));
    expect(sink.requests()).toBe(0);
  },
);

test('JWT-22 by a key that comes as a certificate does, and by one under the fingerprint of ours', async () => {
  const x5c = [own.ec.publicKey.export({ type: 'spki', format: 'der' }).toString('base64')];
  for (const more of [{ x5c }, { x5t: forge().kid }, { 'x5t#S256': forge().kid }])
    await target.expectRejected(signWith(own.ec.privateKey, forge().header(more), forge().claims()));
});

test('JWT-61 by other keys of ours, or in another way by this one', async () => {
  await target.expectRejected(signWith(own.ed.privateKey, forge().header({ alg: 'EdDSA' }), forge().claims()));
  const encryptionKey = Buffer.from(administratorSettings.FLAGHOIST_ENCRYPTION_KEY!, 'base64');
  await target.expectRejected(hmacToken(forge().header({ alg: 'HS256' }), encryptionKey));
  await target.expectRejected(hmacToken(forge().header({ alg: 'HS256' }), administrator.clientSecret));
});

test.each(['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'])('JWT-41 by RSA, as %s', async (alg) => {
  await target.expectRejected(rsaToken(forge().header({ alg }), own.rsa.privateKey, alg));
});

test('JWT-43, JWT-62 of numbers that no signature has', async () => {
  const order = Buffer.from('ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551', 'hex');
  const [zero, one, all] = [Buffer.alloc(32), Buffer.alloc(32, 0).fill(1, 31), Buffer.alloc(32, 0xff)];
  const signature = Buffer.from(signatureOf(service.token()), 'base64url');
  const [r, s] = [signature.subarray(0, 32), signature.subarray(32)];
  const pairs = [zero, one, order, all].flatMap((first) => [zero, one, order, all].map((second) => [first, second]));
  const numbers = [...pairs, [r, zero], [zero, s], [r, order], [order, s], [s, r], [r, r], [s, s]];
  for (const [first, second] of numbers) await refuseSigned(Buffer.concat([first!, second!]));
});

test('JWT-43, JWT-62 in another encoding: DER, too short, too long, with zeros', async () => {
  const signature = Buffer.from(signatureOf(service.token()), 'base64url');
  const der = createSign('sha256').update(inputOf(service.token())).sign(forge().privateKey);
  const zeros = Buffer.alloc(64);
  const encodings = [
    ...[der, zeros, Buffer.concat([signature, signature]), Buffer.concat([signature, zeros])],
    ...[Buffer.concat([zeros, signature]), Buffer.concat([Buffer.alloc(1), signature])],
    ...[Buffer.concat([signature, Buffer.alloc(1)]), signature.subarray(0, 63), signature.subarray(0, 32)],
    ...[Buffer.alloc(1), Buffer.alloc(63), Buffer.alloc(65), Buffer.alloc(128), Buffer.alloc(4_000)],
    ...[Buffer.from(signature).reverse(), Buffer.concat([signature.subarray(32), signature.subarray(0, 32)])],
  ];
  for (const encoding of encodings) await refuseSigned(encoding);
});

test.each(['P-384', 'P-521', 'secp256k1'])('JWT-62 on the curve %s', async (namedCurve) => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve });
  for (const alg of ['ES256', 'ES384', 'ES512', 'ES256K'])
    await target.expectRejected(signWith(privateKey, forge().header({ alg }), forge().claims()));
});

test('of another installation, with everything else as here', async () => {
  await target.expectRejected(signWith(own.ec.privateKey, forge().header(), forge().claims()));
});

function refuseSigned(signature: Buffer): Promise<void> {
  return target.expectRejected(`${inputOf(service.token())}.${signature.toString('base64url')}`);
}

function inputOf(token: string): string {
  return token.slice(0, token.lastIndexOf('.'));
}

function signatureOf(token: string): string {
  return token.slice(token.lastIndexOf('.') + 1);
}

function hmacToken(header: Claims, secret: string | Buffer): string {
  const input = `${encode(header)}.${encode(forge().claims())}`;
  const algorithm = { HS384: 'sha384', HS512: 'sha512' }[String(header.alg)] ?? 'sha256';
  return `${input}.${createHmac(algorithm, secret).update(input).digest('base64url')}`;
}

function rsaToken(header: Claims, key: KeyObject, alg: string): string {
  const input = `${encode(header)}.${encode(forge().claims())}`;
  const padding = alg.startsWith('PS') ? constants.RSA_PKCS1_PSS_PADDING : constants.RSA_PKCS1_PADDING;
  const signature = createSign(`sha${alg.slice(2)}`)
    .update(input)
    .sign({ key, padding });
  return `${input}.${signature.toString('base64url')}`;
}

describeUnharmed(service);
