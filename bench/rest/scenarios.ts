// The three compared requests and their targets.

import type { LoadPlan } from '../harness/load.ts';
import { portCode } from './fleet-table.ts';
import { listQuery } from './peer-plan.ts';

export interface Scenario {
  name: string;
  short: 'GET' | 'PUT' | 'list';
  /** The minimum share of the peer's throughput. */
  target: number;
  /** `mark`: the start of the comments of every change. */
  load(mark: string): Pick<LoadPlan, 'method' | 'paths' | 'headers' | 'body'>;
}

export function scenariosOf(voyageKeys: readonly number[], ports: number): Scenario[] {
  const objectPaths = voyageKeys.map((key) => `/ws/rest/Voyage/${key}`);
  const listPaths = Array.from({ length: ports }, (_, index) => listPath(portCode(index + 1)));
  return [
    {
      name: 'GET one Voyage with its sub-objects',
      short: 'GET',
      target: 0.8,
      load: () => ({ method: 'GET', paths: objectPaths, headers: {} }),
    },
    {
      name: 'PUT one attribute of a Voyage, with its event',
      short: 'PUT',
      target: 0.7,
      load: (mark) => ({
        method: 'PUT',
        paths: objectPaths,
        headers: { 'content-type': 'application/json' },
        body: `{"comments":"${mark} {n}"}`,
      }),
    },
    {
      name: 'List of 100 Voyages, filtered over a reference, with the count',
      short: 'list',
      target: 0.7,
      load: () => ({ method: 'GET', paths: listPaths, headers: {} }),
    },
  ];
}

function listPath(code: string): string {
  return `/ws/rest/Voyage?${new URLSearchParams(listQuery(code))}`;
}
