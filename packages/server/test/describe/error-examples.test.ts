// The error examples in the document equal the real responses of the service.

import { expect, test } from 'vitest';
import { createClient } from '../support/access.ts';
import { useTestService } from '../support/test-service.ts';

const service = useTestService();

/** Those that a GET without anything special provokes. */
const provoked = [
  'invalidFilter',
  'invalidSort',
  'invalidFields',
  'invalidPage',
  'invalidQuery',
  'invalidKey',
  'unknownResource',
  'notFound',
];

interface ErrorResponse {
  content: { 'application/json': { examples: Record<string, { value: Example }> } };
}

interface Example {
  uri: string;
  message: string;
}

async function exampleOf(code: string): Promise<Example> {
  const { body: document } = await service.get('/openapi.json');
  const responses: ErrorResponse[] = Object.values(document.components.responses);
  return responses.map(({ content }) => content['application/json'].examples[code]).find(Boolean)!.value;
}

test.each(provoked)('%s: the example has the message and the violations of the real response', async (code) => {
  const example = await exampleOf(code);
  const { body } = await service.get(example.uri.slice(service.url().length));
  expect({ ...body, date: '' }).toEqual({ ...example, date: '' });
});

test('unauthorized: the example is the real response to a request without a token', async () => {
  const example = await exampleOf('unauthorized');
  const body = (await (await fetch(example.uri)).json()) as Example;
  expect({ ...body, date: '' }).toEqual({ ...example, date: '' });
});

test('insufficientScope: the example is the real response to a write with the scope read', async () => {
  const example = await exampleOf('insufficientScope');
  const { headers } = await createClient(service, ['read']);
  const { body } = await service.put(example.uri.slice(service.url().length), {}, headers);
  expect({ ...body, date: '' }).toEqual({ ...example, date: '' });
});
