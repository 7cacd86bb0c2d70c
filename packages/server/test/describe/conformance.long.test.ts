// Requests generated from the API description, sent by an administrator to the whole service: whatever is sent, the
// answer is one that the description has. FUZZ_REQUESTS says how many, FUZZ_SEED repeats a run.

import fc from 'fast-check';
import { Agent, request as send } from 'undici';
import { beforeAll, expect, test } from 'vitest';
import { administrator } from '../support/access.ts';
import { useTestService } from '../support/test-service.ts';
import { type Document, follow, methods, type Operation, operationsOf, type SchemaNode } from './api-document.ts';
import { type AnswerChecker, createAnswerChecker, type GivenAnswer } from './check-answer.ts';
import { drawRequest, type GeneratedRequest, type KnownTags, typeOf } from './generate-request.ts';
import { type Draw, isLikely, pick, type World } from './generate-value.ts';
import { isBeyondSchema } from './rules-beyond-schema.ts';

const requestsWanted = Number(process.env.FUZZ_REQUESTS ?? 1500);
const seed = Number(process.env.FUZZ_SEED ?? Math.floor(Math.random() * 2 ** 31));

const service = useTestService();
const agent = new Agent({ connections: 1, pipelining: 1 });
const world: World & KnownTags = { document: undefined as never, keys: new Map(), etags: new Map() };
const counts = new Map<string, number>();
/** The client that sends the requests, and its user: nothing is learnt of them, so that no request is about them. */
const ownKeys = new Set<number>();
let operations: Operation[];
let checker: AnswerChecker;

beforeAll(async () => {
  world.document = (await service.get('/openapi.json')).body as Document;
  operations = operationsOf(world.document);
  checker = createAnswerChecker(world.document);
  const { body } = await service.get(`/ws/rest/ApiClient?filter=clientId(EQ)${administrator.clientId}`);
  ownKeys.add(body[0].key).add(body[0].user.key);
});

test(`${requestsWanted} generated requests get no 5xx and no answer that breaks its schema (FUZZ_SEED=${seed})`, {
  timeout: 60_000 + requestsWanted * 40,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.gen(), async (draw) => {
      if (isLikely(draw, 3)) await tryWrongMethod(draw);
      else await tryOperation(draw);
    }),
    { numRuns: requestsWanted, seed, endOnFailure: true },
  );
  process.stderr.write(`${renderCounts()}\n`);
  // Where hardly anything succeeds, hardly anything was tried.
  expect(successes()).toBeGreaterThan(requestsWanted / 4);
});

test('a new element after the largest sequence number is last (found by a generated request)', async () => {
  const { body: port } = await service.post('/ws/rest/Port', { unLoCode: 'BUG01' });
  const call = { port: port.key, reasonForCall: 'L' };
  const portCalls = [{ ...call, portCallSequence: 2_147_483_647 }];
  const { body: voyage } = await service.post('/ws/rest/Voyage', { portCalls });
  const added = await service.post('/ws/rest/PortCall', { ...call, voyage: voyage.key });
  expect(added.status).toBe(201);
  const { body } = await service.get(`/ws/rest/Voyage/${voyage.key}`);
  expect(body.portCalls.map(({ key }: { key: number }) => key)).toEqual([voyage.portCalls[0].key, added.body.key]);
});

async function tryOperation(draw: Draw): Promise<void> {
  const request = drawRequest(draw, world, drawOperation(draw));
  const answer = await ask(request);
  const tell = (problem: string) => describe(request, answer, problem);
  expect(checker.check(operationFor(request), answer), tell('breaks the description')).toBeUndefined();
  expect(answer.status, tell('is a fault of ours')).toBeLessThan(500);
  checkBodyRules(request, answer, tell);
  learn(request, answer);
  if (request.method === 'DELETE' && answer.status === 204) await checkGone(request);
  if (request.method === 'GET' && isLikely(draw, 5)) await checkHead(request, answer);
}

/** A POST of one object answers an array as the operation for arrays does. */
function operationFor({ operation, body }: GeneratedRequest): Operation {
  const isArray = body?.bytes.toString().trimStart().startsWith('[') === true;
  const forArrays = operations.find(({ path }) => path === `${operation.path}/batch`);
  return (isArray && operation.method === 'post' && forArrays) || operation;
}

/** Creating comes first, or there is nothing to read and to refer to. */
function drawOperation(draw: Draw): Operation {
  const creating = operations.filter(({ node }) => /^create/.test(node.operationId));
  const scarce = creating.filter(isScarce);
  if (scarce.length > 0 && isLikely(draw, 50)) return pick(draw, scarce);
  const method = pick(draw, ['get', 'get', 'get', 'post', 'post', 'post', 'put', 'put', 'delete']);
  return pick(
    draw,
    operations.filter((operation) => operation.method === method),
  );
}

function isScarce(operation: Operation): boolean {
  if ((world.keys.get(typeOf(operation) ?? '')?.length ?? 0) >= 3) return false;
  const schema = operation.node.requestBody?.content['application/json']?.schema;
  return schema !== undefined && referredTypes(schema).every((type) => (world.keys.get(type)?.length ?? 0) > 0);
}

/** Of the references that must be sent. */
function referredTypes(schema: SchemaNode): string[] {
  const { items, required = [], properties = {} } = follow(world.document, schema);
  if (items) return referredTypes(items);
  return required.flatMap((name) => /\/(\w+)ReferenceInput$/.exec(properties[name]?.$ref ?? '')?.[1] ?? []);
}

function checkBodyRules(request: GeneratedRequest, answer: GivenAnswer, tell: (problem: string) => string): void {
  if (!request.body || request.headers['content-type'] !== 'application/json') return;
  // The token endpoint ignores what it does not know, and tells one mistake at a time.
  if (typeOf(request.operation) === undefined) return;
  // Who has no object, a stale one, or one that has ended, is told that first.
  if (request.body.hasUnknownAttribute)
    expect([400, 404, 409, 412, 422], tell('took an unknown attribute')).toContain(answer.status);
  if (answer.status < 300) {
    expect(isAllowed(request), tell('took what the description forbids')).toBe(true);
  } else if (answer.status === 400) {
    const { message, violations = [] } = JSON.parse(answer.text) as ErrorBody;
    if (violations.length === 0 || message.startsWith('The field selection') || !isAllowed(request)) return;
    const unforeseen = violations.filter(({ message }) => !isBeyondSchema(message));
    expect(unforeseen, tell('refused what the description allows')).toEqual([]);
  }
}

interface ErrorBody {
  message: string;
  violations?: { path: string; message: string }[];
}

function isAllowed({ operation, body }: GeneratedRequest): boolean | undefined {
  if (body!.bytes.length === 0) return operation.node.requestBody?.required === false;
  return checker.isBodyAllowed(operation, JSON.parse(body!.bytes.toString()));
}

async function checkGone({ target, operation }: GeneratedRequest): Promise<void> {
  const read = operations.find(({ path, method }) => path === operation.path && method === 'get')!;
  const answer = await ask({ operation: read, method: 'GET', target, headers: {}, body: undefined, key: undefined });
  expect(answer.status, `GET ${target} after its DELETE`).toBe(404);
  expect(checker.check(read, answer)).toBeUndefined();
}

async function checkHead(request: GeneratedRequest, { status, headers }: GivenAnswer): Promise<void> {
  const head = await ask({ ...request, method: 'HEAD' });
  expect([head.status, head.text, head.headers.etag], `HEAD ${request.target}`).toEqual([status, '', headers.etag]);
}

async function tryWrongMethod(draw: Draw): Promise<void> {
  const { path } = pick(draw, operations);
  const taken = methods.filter((method) => world.document.paths[path]?.[method]);
  const method = pick(
    draw,
    ['POST', 'PUT', 'PATCH', 'DELETE'].filter((name) => !taken.includes(name.toLowerCase() as never)),
  );
  const target = path.replace('{key}', '1');
  const answer = await ask({ operation: operations[0]!, method, target, headers: {}, body: undefined, key: undefined });
  expect(answer.status, `${method} ${target}`).toBe(405);
  const isToken = path === '/oauth/token';
  expect(checker.checkBody(answer, isToken ? 'TokenErrorBody' : 'ErrorBody')).toBeUndefined();
  const allowed = String(answer.headers.allow).toLowerCase().split(', ');
  expect(allowed, `Allow of ${method} ${target}`).toEqual(expect.arrayContaining(taken));
  expect(allowed).not.toContain(method.toLowerCase());
}

async function ask(request: GeneratedRequest): Promise<GivenAnswer> {
  const { statusCode, headers, body } = await send(`${service.url()}${request.target}`, {
    dispatcher: agent,
    method: request.method as 'GET',
    headers: { ...(isForToken(request) ? {} : { authorization: `Bearer ${service.token()}` }), ...request.headers },
    ...(request.body ? { body: request.body.bytes } : {}),
  });
  // A response of events does not end.
  const isEndless = request.method === 'GET' && String(headers['content-type']).startsWith('text/event-stream');
  const text = isEndless ? '' : await body.text();
  if (isEndless) body.destroy();
  const answer = { status: statusCode, headers, text };
  const count = `${request.method} ${statusCode}`;
  counts.set(count, (counts.get(count) ?? 0) + 1);
  return answer;
}

/** There the header would be taken for the client's own credentials. */
function isForToken({ target }: GeneratedRequest): boolean {
  return target.startsWith('/oauth/token');
}

/** Every object in an answer can be asked for, referred to and deleted later. */
function learn({ operation, method, target, key }: GeneratedRequest, { status, headers, text }: GivenAnswer): void {
  const type = typeOf(operation);
  if (type === undefined) return;
  if (key !== undefined && (status === 404 || (method === 'DELETE' && status === 204))) {
    world.keys.set(
      type,
      (world.keys.get(type) ?? []).filter((known) => known !== key),
    );
  }
  if (status >= 300 || text === '') return;
  if (typeof headers.etag === 'string') world.etags.set(target.split('?')[0]!, headers.etag);
  learnObjects(JSON.parse(text));
}

function learnObjects(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  const { key, self } = value as { key?: unknown; self?: unknown };
  const type = typeof self === 'string' ? /\/ws\/rest\/(\w+)\/\d+$/.exec(self)?.[1] : undefined;
  if (type !== undefined && typeof key === 'number' && !ownKeys.has(key)) {
    const keys = world.keys.get(type) ?? [];
    if (!keys.includes(key)) world.keys.set(type, [...keys.slice(-50), key]);
  }
  for (const inner of Object.values(value)) learnObjects(inner);
}

function describe(request: GeneratedRequest, answer: GivenAnswer, problem: string): string {
  const body = request.body ? `\n${request.body.bytes.toString().slice(0, 2000)}` : '';
  const headers = JSON.stringify(request.headers);
  const answered = `→ ${answer.status} ${answer.text.slice(0, 600)}`;
  return `${request.method} ${request.target} ${headers}${body}\n${answered}\n${causeOf(answer)}${problem}`;
}

/** The caller is told nothing of it, but a person who reads this has to know. */
function causeOf({ status }: GivenAnswer): string {
  const failure = service.observations.findLast(({ kind }) => kind === 'request.failed');
  return status === 500 && failure?.kind === 'request.failed' ? `${failure.error.stack}\n` : '';
}

function successes(): number {
  return [...counts].filter(([name]) => / [23]/.test(name)).reduce((sum, [, count]) => sum + count, 0);
}

function renderCounts(): string {
  const rows = [...counts].sort(([one], [other]) => one.localeCompare(other));
  return `FUZZ_SEED=${seed}: ${rows.map(([name, count]) => `${name}: ${count}`).join(', ')}`;
}
