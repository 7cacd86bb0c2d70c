// Tests of the interface as data: a request, what it is answered with, and which events it writes. Events that are not
// named must not be written.

import { expect, test } from 'vitest';
import { eventNamesDuring } from './events-written.ts';
import type { Answer, TestService } from './test-service.ts';

export interface Scenario<Given> {
  /** The guarantee. */
  name: string;
  /** What has to be there before the request. */
  given: () => Promise<Given>;
  request: (given: Given) => Request;
  status: number;
  /** What the body must contain. */
  body?: (given: Given) => unknown;
  headers?: (given: Given, answer: Answer) => Record<string, string | null>;
  /** `Voyage.U.1042`, every one of them; none where it is left out. */
  events?: (given: Given, answer: Answer) => string[];
}

interface Request {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  body?: unknown;
  headers?: Record<string, string>;
}

/** Keeps the type of what is given from one function of the scenario to the next. */
export function scenario<Given>(written: Scenario<Given>): Scenario<unknown> {
  return written as Scenario<unknown>;
}

export function testScenarios(service: TestService, scenarios: Scenario<unknown>[]): void {
  for (const { name, given, request, status, body, headers, events } of scenarios) {
    test(name, async () => {
      const before = await given();
      let answer!: Answer;
      const written = await eventNamesDuring(service, async () => {
        answer = await send(service, request(before));
      });
      expect(answer.status, answer.text).toBe(status);
      if (body) expect(answer.body).toMatchObject(body(before) as object);
      for (const [header, value] of Object.entries(headers?.(before, answer) ?? {}))
        expect(answer.headers.get(header), header).toBe(value);
      expect(written).toEqual((events?.(before, answer) ?? []).sort());
    });
  }
}

function send(service: TestService, { method, path, body, headers }: Request): Promise<Answer> {
  const url = `/ws/rest/${path}`;
  switch (method) {
    case 'GET':
      return service.get(url, headers);
    case 'POST':
      return service.post(url, body, headers);
    case 'PUT':
      return service.put(url, body, headers);
    case 'DELETE':
      return service.delete(url, headers);
  }
}
