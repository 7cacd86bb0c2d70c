// A real server whose answers a test chooses. It records what it was asked, and can pass requests on to a service.

import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach } from 'vitest';

export interface ServerRequest {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export type Responder = (request: ServerRequest, response: ServerResponse) => unknown;

export interface ScriptedServer {
  url(): string;
  /** In the order in which they arrived, since the test began. */
  readonly requests: ServerRequest[];
  respond(responder: Responder): void;
}

export function useScriptedServer(): ScriptedServer {
  const requests: ServerRequest[] = [];
  let responder: Responder = (_, response) => response.end();
  const server = createServer(async (incoming, response) => {
    const { method = '', url = '', headers } = incoming;
    const request = { method, path: url, headers, body: (await incoming.setEncoding('utf8').toArray()).join('') };
    requests.push(request);
    await responder(request, response);
  });
  beforeAll(() => new Promise<void>((done) => server.listen(0, '127.0.0.1', done)));
  beforeEach(() => {
    requests.length = 0;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    respond(next) {
      responder = next;
    },
  };
}

export function answerJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

/** An error as the service sends it. */
export function answerError(
  response: ServerResponse,
  status: number,
  code: string,
  headers: Record<string, string> = {},
): void {
  const more = { 'flaghoist-error': code, 'flaghoist-request-id': 'req-1', ...headers };
  answerJson(response, status, { statusCode: status, message: `It is ${code}.` }, more);
}

/** Sends the request to the service at this URL, and its answer back. */
export async function passOn(serviceUrl: string, request: ServerRequest, response: ServerResponse): Promise<void> {
  const { method, path, body } = request;
  const { host: _host, connection: _connection, 'content-length': _length, ...headers } = request.headers;
  const answer = await fetch(serviceUrl + path, {
    method,
    headers: headers as Record<string, string>,
    ...(body !== '' && { body }),
  });
  const text = await answer.text();
  const { 'transfer-encoding': _, 'content-length': __, ...kept } = Object.fromEntries(answer.headers);
  response.writeHead(answer.status, kept).end(text);
}
