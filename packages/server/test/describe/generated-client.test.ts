// A client that a third-party generator creates from the API description: it compiles, its types are useful, and it
// works with the real service.

import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { generateApi } from 'swagger-typescript-api';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { administrator, testAudience } from '../support/access.ts';
import { useTestService } from '../support/test-service.ts';

const service = useTestService();
let folder: string;
// biome-ignore lint/suspicious/noExplicitAny: the client is generated after this file is compiled; `usage` checks it.
let api: any;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'flaghoist-client-'));
  const { body } = await service.get('/openapi.json');
  const { files } = await generateApi({
    spec: body,
    output: false,
    silent: true,
    moduleNameFirstTag: true,
    httpClientType: 'fetch',
    generateUnionEnums: true,
  });
  await writeFile(join(folder, 'client.ts'), files[0]!.fileContent);
  const { Api } = await import(join(folder, 'client.ts'));
  api = new Api({
    baseUrl: service.url(),
    securityWorker: (token: string | null) => (token ? { headers: { Authorization: `Bearer ${token}` } } : {}),
  });
  const { data } = await api.accessTokens.requestToken({
    client_id: administrator.clientId,
    client_secret: administrator.clientSecret,
    audience: testAudience,
    grant_type: 'client_credentials',
  });
  api.setSecurityData(data.access_token);
});

afterAll(() => rm(folder, { recursive: true, force: true }));

test('a generated client creates, lists, reads, changes and deletes objects with their sub-objects', async () => {
  await api.port.createPorts([
    { unLoCode: 'NLRTM', portName: 'Rotterdam', country: 'NL' },
    { unLoCode: 'SGSIN', portName: 'Singapore', country: 'SG' },
  ]);
  const { data: vessel } = await api.vessel.createVessel({ vesselName: 'Northern Light' });

  const created = await api.voyage.createVoyage({
    vessel: vessel.key,
    voyageStatus: 'EST',
    freight: 1250.75,
    portCalls: [
      { port: 'NLRTM', reasonForCall: 'L', eta: '2026-11-15T09:30:00+01:00' },
      { port: { key: (await api.port.listPorts({ filter: ['unLoCode(EQ)SGSIN'] })).data[0].key }, reasonForCall: 'D' },
    ],
  });
  expect(created.status).toBe(201);
  const { key } = created.data;
  expect(created.headers.get('location')).toBe(created.data.self);
  expect(created.data.portCalls[0]).toMatchObject({ portCallSequence: 1, eta: '2026-11-15T08:30:00' });

  const listed = await api.voyage.listVoyages({
    filter: ['vessel.vesselName(EQ)Northern Light', 'portCalls.port.country(IN)(NL,DE)', '(OR)', 'key(EQ)1'],
    sort: ['referenceNo(DS)', 'vessel.vesselName(ASI)'],
    limit: 10,
    pageNumber: 1,
  });
  expect(listed.data.map((voyage: { key: number }) => voyage.key)).toEqual([key]);
  expect(listed.headers.get('totalObjectsNumber')).toBe('1');

  const fields = JSON.stringify({ vessel: { callSignal: '*' }, portCalls: { port: { country: '*' } } });
  const read = await api.voyage.getVoyage(key, { fields });
  expect(read.data.portCalls.map((call: { port: { country: string } }) => call.port.country)).toEqual(['NL', 'SG']);

  const whole = (await api.voyage.getVoyage(key)).data;
  const changed = await api.voyage.updateVoyage(
    key,
    { ...whole, comments: 'Sent back whole', portCalls: [whole.portCalls[0], { port: 'SGSIN', reasonForCall: 'B' }] },
    {},
    { headers: { 'If-Match': created.headers.get('etag') } },
  );
  expect(changed.data.comments).toBe('Sent back whole');
  expect(changed.data.portCalls.map((call: { reasonForCall: string }) => call.reasonForCall)).toEqual(['L', 'B']);

  const refused = await api.voyage.updateVoyage(key, { comments: 5 }).catch((error: unknown) => error);
  expect(refused.status).toBe(400);
  expect(refused.error.violations[0].path).toBe('comments');

  expect((await api.voyage.deleteVoyage(key)).status).toBe(204);
  const gone = await api.voyage.getVoyage(key).catch((error: unknown) => error);
  expect(gone.status).toBe(404);
});

test('the types of a generated client have attributes, codes, references and errors', async () => {
  await writeFile(join(folder, 'usage.ts'), usage);
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(compilerSettings));
  const compiler = fileURLToPath(new URL('../../../../node_modules/typescript/bin/tsc', import.meta.url));
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [compiler, '-p', folder]).catch(
    (error) => error,
  );
  expect(`${stdout}${stderr}`).toBe('');
}, 60_000);

const compilerSettings = {
  compilerOptions: {
    strict: true,
    noEmit: true,
    target: 'es2022',
    lib: ['es2022', 'dom'],
    module: 'esnext',
    moduleResolution: 'bundler',
    skipLibCheck: true,
    types: [],
  },
  files: ['client.ts', 'usage.ts'],
};

/** Compiled only. A line that should not compile and does is an error as well. */
const usage = `
import { Api, type ErrorBody, type Voyage, type VoyageChange, type VoyageCreate } from './client';

const api = new Api({ baseUrl: 'http://127.0.0.1' });

export async function use(): Promise<void> {
  const create: VoyageCreate = { vessel: 7, ballastPort: 'NLRTM', portCalls: [{ port: { key: 3 },
    reasonForCall: 'L' }] };
  const { data } = await api.voyage.createVoyage(create);
  const voyage: Voyage = data;
  const several: Voyage[] = (await api.voyage.createVoyages([create, {}])).data;
  const key: number = voyage.key;
  const status: 'EST' | 'NOM' | 'OPR' | 'FIN' | 'CLO' | null | undefined = voyage.voyageStatus;
  const freight: number | null | undefined = voyage.freight;
  const vessel: string | null | undefined = voyage.vessel?.vesselName;
  // What a reference does not show by default may be there, if it is asked for.
  const signal: unknown = voyage.vessel?.callSignal;
  const agent: string | undefined = voyage.portCalls?.[0]?.agent?.businessPartnerCode;
  const change: VoyageChange = { ...voyage, comments: null };
  await api.voyage.updateVoyage(key, change);
  const listed: Voyage[] = (await api.voyage.listVoyages({ filter: ['key(GT)1'], sort: ['key(DS)'], limit: 5 })).data;
  const error: ErrorBody = (await api.voyage.deleteVoyage(key)).error;
  const path: string | undefined = error.violations?.[0]?.path;
  console.log(several, status, freight, vessel, signal, agent, listed, path);

  const token: string = (await api.accessTokens.requestToken({ audience: 'x',
    grant_type: 'client_credentials' })).data.access_token;
  const made = (await api.apiClient.createApiClient({ user: 'agent', scopes: ['read'] })).data;
  const secret: string | undefined = made.clientSecret;
  const rotated: string = (await api.apiClient.rotateApiClientSecret(key, { graceSeconds: 60 })).data.clientSecret;
  const done: 'CREATE' | 'CHANGE' | 'DELETE' | 'ROTATE_KEY' | 'DISTRUST_KEYS' | 'SIGN_IN' | 'SIGN_OUT' | 'CREATE_LINK'
    | 'VIEW_AS' | undefined = (await api.auditLog.getAuditLog(key)).data.action;
  console.log(token, secret, rotated, done);

  // @ts-expect-error a port call needs a port and a reason
  await api.voyage.createVoyage({ portCalls: [{ eta: '2026-11-15' }] });
  // @ts-expect-error a vessel has no code
  await api.voyage.createVoyage({ vessel: 'NORTHERN' });
  // @ts-expect-error there is no such attribute
  await api.voyage.updateVoyage(key, { noSuch: 1 });
  // @ts-expect-error there is no such status
  await api.voyage.updateVoyage(key, { voyageStatus: 'XXX' });
  // @ts-expect-error a client that is read shows no secret
  console.log((await api.apiClient.getApiClient(key)).data.clientSecret);
  // @ts-expect-error nobody writes the audit log
  await api.auditLog.createAuditLog({});
  // @ts-expect-error a port call without a voyage stands nowhere
  await api.portCall.createPortCall({ port: 'NLRTM', reasonForCall: 'L' });
}
`;
