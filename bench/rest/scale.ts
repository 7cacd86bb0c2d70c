// How the first page of a filtered list slows down with the number of objects that do not match: the same list on a
// small and on a large database, one request at a time, in interleaved rounds.

import type { DrivenLoad } from '../harness/drive-load.ts';
import { type Contender, measureInRounds } from '../harness/rounds.ts';
import { type ComparisonContext, contenderOf } from './comparison.ts';
import { createDatabase, fillFleet, portCode } from './fleet-table.ts';
import { type Server, startOurs } from './servers.ts';
import type { Sizes } from './sizes.ts';

export interface ScaleResult {
  list: ScaledList;
  counting: 'with the count' | 'noCount';
  small: DrivenLoad[];
  large: DrivenLoad[];
}

export interface ScaledList {
  name: string;
  filter: string;
  /** Filters on an index have a target; the other one is for comparison. */
  hasTarget: boolean;
}

const lists: ScaledList[] = [
  { name: 'by ballastPort.unLoCode', filter: `ballastPort.unLoCode(EQ)${portCode(1)}`, hasTarget: true },
  {
    name: 'by ballastPort.portName (not indexed, few ports)',
    filter: 'ballastPort.portName(EQ)Port 1',
    hasTarget: false,
  },
];

export interface ScaleServers {
  small: Server;
  large: Server;
}

export async function startScaleServers(
  serverUrl: string,
  { scale, databaseConnections }: Sizes,
): Promise<ScaleServers> {
  const start = async (name: 'small' | 'large') => {
    const databaseUrl = await createDatabase(serverUrl, `bench_${name}`);
    const server = await startOurs({ databaseUrl, databaseConnections, name });
    await fillFleet(databaseUrl, {
      voyages: scale[name],
      ports: 51,
      voyagesOfFirstPort: scale.matches,
      hasSubObjects: false,
    });
    return server;
  };
  return { small: await start('small'), large: await start('large') };
}

export async function measureScale(
  context: ComparisonContext,
  { small, large }: ScaleServers,
  matches: number,
): Promise<ScaleResult[]> {
  const results: ScaleResult[] = [];
  for (const list of lists) {
    for (const counting of ['with the count', 'noCount'] as const) {
      const contenders = [small, large].map((server) => scaledContender(context, server, list, counting, matches));
      const measured = await measureInRounds(contenders, context.rounds);
      results.push({ list, counting, small: measured.get('small')!, large: measured.get('large')! });
    }
  }
  return results;
}

function scaledContender(
  context: ComparisonContext,
  server: Server,
  { filter }: ScaledList,
  counting: ScaleResult['counting'],
  matches: number,
): Contender<DrivenLoad> {
  const path = `/ws/rest/Voyage?${new URLSearchParams({ filter, limit: '100' })}`;
  const headers: Record<string, string> = counting === 'noCount' ? { noCount: 'YES' } : {};
  const scenario = { short: 'list' as const, load: () => ({ method: 'GET' as const, paths: [path], headers }) };
  const expected = counting === 'noCount' ? undefined : String(matches);
  return contenderOf(context, server, scenario, ({ first }) => {
    const found = first.headers.totalobjectsnumber;
    if (found !== expected) context.ledger.expect(`scale, ${server.name}, ${filter}: matches`, expected, found);
  });
}
