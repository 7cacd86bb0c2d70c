// The examples of errors in the document are what the service says.

import { expect, test } from 'vitest';
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
  content: { 'application/json': { examples: Record<string, { value: { uri: string } }> } };
}

test.each(provoked)('%s: the example has the message and the violations of the real answer', async (code) => {
  const { body: document } = await service.get('/openapi.json');
  const responses: ErrorResponse[] = Object.values(document.components.responses);
  const example = responses.map(({ content }) => content['application/json'].examples[code]).find(Boolean)!.value;
  const { body } = await service.get(example.uri.slice(service.url().length));
  expect({ ...body, date: '' }).toEqual({ ...example, date: '' });
});
