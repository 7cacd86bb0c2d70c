// Describes the error responses, one per status, with the meaning and an example of each error of `errors.ts`.

import { STATUS_CODES } from 'node:http';
import { type ErrorCode, errorTable } from '../../../errors.ts';
import type { DescriptionContext } from '../description-context.ts';
import { errorExample } from '../examples/error-examples.ts';
import { schemaRef } from '../json-schema.ts';
import { type HeaderName, headerRefs } from '../parameters.ts';

/** All but those of the session of the console, which only its page uses. */
export function describedErrors(): ErrorCode[] {
  return (Object.keys(errorTable) as ErrorCode[]).filter((code) => !ofConsole.has(code));
}

const ofConsole = new Set<ErrorCode>(['signInFailed', 'sessionEnded', 'notFromConsole', 'issuerFault']);

type ErrorStatus = (typeof errorTable)[ErrorCode]['status'];

export function errorResponses(context: DescriptionContext): Record<string, unknown> {
  const codes = describedErrors();
  const statuses = [...new Set(codes.map((code) => errorTable[code].status))].sort();
  const responses = statuses.map((status) => {
    const examples = codes
      .filter((code) => errorTable[code].status === status)
      .map((code): ErrorExample => [code, errorTable[code].meaning, errorExample(context, code)]);
    return [
      responseName(status),
      errorResponse(context.names.shared.error, examples, [...everyError, ...(headersOf[status] ?? [])]),
    ];
  });
  return Object.fromEntries(responses);
}

export type ErrorExample = readonly [code: string, meaning: string, value: unknown];

export function errorResponse(schema: string, examples: readonly ErrorExample[], headers: HeaderName[] = []) {
  return {
    description: examples.map(([, meaning]) => meaning).join('\n\n'),
    ...(headers.length > 0 && { headers: headerRefs(...headers) }),
    content: {
      'application/json': {
        schema: schemaRef(schema),
        examples: Object.fromEntries(examples.map(([code, summary, value]) => [code, { summary, value }])),
      },
    },
  };
}

/** For example `400: {"$ref": "#/components/responses/BadRequest"}`. */
export function errorRefs(...statuses: ErrorStatus[]): Record<string, { $ref: string }> {
  return Object.fromEntries(
    statuses.map((status) => [status, { $ref: `#/components/responses/${responseName(status)}` }]),
  );
}

function responseName(status: ErrorStatus): string {
  return STATUS_CODES[status]!.replaceAll(/[^A-Za-z]/g, '');
}

const everyError: HeaderName[] = ['flaghoist-request-id', 'flaghoist-error'];

const headersOf: Partial<Record<ErrorStatus, HeaderName[]>> = {
  401: ['WWW-Authenticate'],
  403: ['WWW-Authenticate'],
  405: ['Allow'],
  409: ['Retry-After'],
  429: ['Retry-After'],
  503: ['Retry-After'],
  507: ['Retry-After'],
};
