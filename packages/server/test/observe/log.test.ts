// The log: one line an observation; an error is there with its message and stack.

import { describe, expect, test } from 'vitest';
import { createLog } from '../../src/observe/log.ts';
import type { Observation } from '../../src/observe/observation.ts';

function linesOf(format: 'json' | 'text', level: 'debug' | 'info', ...observations: Observation[]): string[] {
  const lines: string[] = [];
  const log = createLog({ level, format }, { write: (line) => lines.push(line) });
  for (const observation of observations) log(observation);
  return lines;
}

const failure: Observation = { kind: 'request.failed', requestId: 'abc-1', error: new Error('column "x" is missing') };

describe.each(['json', 'text'] as const)('as %s', (format) => {
  test('a fault of ours is found by its id, with message and stack', () => {
    const [line] = linesOf(format, 'info', failure);
    for (const part of ['error', 'request.failed', 'abc-1', 'is missing', 'log.test.ts']) expect(line).toContain(part);
  });

  test('requests are logged at debug only', () => {
    const request: Observation = {
      kind: 'request.completed',
      requestId: 'abc-2',
      method: 'GET',
      route: '/ws/rest/{Resource}',
      resource: 'Port',
      status: 200,
      durationMs: 1.5,
      errorCode: undefined,
    };
    expect(linesOf(format, 'info', request)).toEqual([]);
    expect(linesOf(format, 'debug', request)[0]).toContain('/ws/rest/{Resource}');
  });

  test('a request that failed is a line, but not one that failed because of an outage, which has its own', () => {
    const failed = (status: number, errorCode: string): Observation => ({
      kind: 'request.completed',
      requestId: 'abc-3',
      method: 'PUT',
      route: '/ws/rest/{Resource}/{key}',
      resource: 'Port',
      status,
      durationMs: 1.5,
      errorCode,
    });
    expect(linesOf(format, 'info', failed(503, 'busy'))).toHaveLength(1);
    expect(linesOf(format, 'info', failed(503, 'databaseAway'), failed(507, 'diskFull'))).toEqual([]);
  });

  test(
    'what PostgreSQL complains of is a line, but not what an ' + 'outage repeats for every statement or connection',
    () => {
      const said = (text: string): Observation => ({ kind: 'database.message', text });
      expect(linesOf(format, 'info', said('FATAL:  terminating connection due to administrator command'))).toHaveLength(
        1,
      );
      const repeated = [
        said('LOG:  listening on IPv4 address'),
        said('ERROR:  could not extend file "base/1/2": No space left on device'),
        said('FATAL:  connection to client lost'),
      ];
      expect(linesOf(format, 'info', ...repeated)).toEqual([]);
      expect(linesOf(format, 'debug', ...repeated)).toHaveLength(repeated.length);
    },
  );
});
