// The consumer of streams behind an ingress that answers by itself for a while, as during a rollout.

import { request as sendRequest } from 'node:http';
import { describe, expect, test } from 'vitest';
import { useTestService } from '../../../server/test/support/test-service.ts';
import { createClient, type FlaghoistError } from '../../src/index.ts';
import { answerError, answerJson, type Responder, useScriptedServer } from '../support/scripted-server.ts';
import { consume, createVessels, isDelivered, subscribeToStream } from './consumer.ts';

const service = useTestService();
const ingress = useScriptedServer();

/** Passes on what arrives piece by piece, unlike `passOn`, so that streams get through. */
const forward: Responder = ({ method, path, headers, body }, response) => {
  const outgoing = sendRequest(service.url() + path, { method, headers }, (answer) => {
    response.writeHead(answer.statusCode!, answer.headers);
    answer.pipe(response);
  });
  response.on('close', () => outgoing.destroy());
  outgoing.on('error', () => response.destroy());
  outgoing.end(body);
};

const page: Responder = (_, response) =>
  response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>404 Not Found</h1>');
const forbidden: Responder = (_, response) =>
  response.writeHead(403, { 'content-type': 'text/html' }).end('<h1>Forbidden</h1>');
const json: Responder = (_, response) => answerJson(response, 404, { error: 'Not Found', status: 404 });
const redirect: Responder = (_, response) => response.writeHead(302, { location: '/maintenance' }).end();

/** The first requests whose path ends so are answered by these, one after the other. */
function answerFirst(end: string, answers: readonly Responder[]): void {
  const left = [...answers];
  ingress.respond((request, response) => {
    const answer = request.path.split('?', 1)[0]!.endsWith(end) ? left.shift() : undefined;
    return (answer ?? forward)(request, response);
  });
}

describe('an answer of the ingress is no end of the stream', () => {
  test.each([
    { to: 'stream', answers: [page, page] },
    { to: 'stream', answers: [forbidden, json] },
    { to: 'stream', answers: [redirect] },
    { to: 'oauth/token', answers: [page, json] },
    { to: 'acknowledge', answers: [page, forbidden] },
  ])('$answers.length times to $to', async ({ to, answers }) => {
    const key = await subscribeToStream(service);
    const names = await createVessels(service, 2);
    answerFirst(`/${to}`, answers);
    const ledger = consume(ingress.url(), key);
    await ledger.reach(2, 20_000);
    await isDelivered(service, key, 2, 20_000);
    await ledger.stop();
    expect([ledger.handled, ledger.early]).toEqual([names, []]);
    // An acknowledgement is repeated without a report.
    const reported = to === 'acknowledge' ? [] : answers;
    expect(ledger.errors).toEqual(reported.map(() => expect.stringContaining(' unknownAnswer: ')));
  });
});

describe('an answer of the service is the end', () => {
  const errorOf = (credentials: { token: string } | { clientId: string; clientSecret: string; audience: string }) =>
    createClient({ url: ingress.url(), ...credentials })
      .stream(1, () => undefined)
      .then(
        () => expect.unreachable(),
        (error: FlaghoistError) => [error.status, error.code],
      );

  test.each([
    [401, 'unauthorized'],
    [403, 'insufficientScope'],
    [404, 'notFound'],
    [409, 'conflict'],
  ])('%i %s', async (status, code) => {
    ingress.respond((_, response) => answerError(response, status, code));
    expect(await errorOf({ token: 'a-token' })).toEqual([status, code]);
  });

  test.each([
    [400, 'invalid_scope'],
    [401, 'invalid_client'],
    [403, 'access_denied'],
  ])('%i %s of its token endpoint', async (status, code) => {
    ingress.respond((_, response) => answerJson(response, status, { error: code, error_description: 'No.' }));
    expect(await errorOf({ clientId: 'someone', clientSecret: 'a-secret', audience: 'a' })).toEqual([status, code]);
    expect(ingress.requests.map(({ path }) => path)).toEqual(['/oauth/token']);
  });
});
