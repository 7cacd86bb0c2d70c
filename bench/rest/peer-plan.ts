// The plan of the peer: the SQL of the service, from the functions that the service calls, so that the two differ in
// everything but the work of the database.

import { actAs } from '../../packages/server/src/database/transaction-statements.ts';
import { buildModel } from '../../packages/server/src/model/build-model.ts';
import { catalogue } from '../../packages/server/src/model/catalogue/catalogue.ts';
import { updateObject } from '../../packages/server/src/objects/object-table.ts';
import { parseListRequest } from '../../packages/server/src/query/list-request.ts';
import { compileList } from '../../packages/server/src/query/list-statement.ts';
import { compileRead } from '../../packages/server/src/query/read-statement.ts';
import { wholeView } from '../../packages/server/src/query/view.ts';
import { clientId } from '../harness/service-client.ts';
import { portCode } from './fleet-table.ts';

export interface PeerPlan {
  databaseUrl: string;
  connections: number;
  /** Takes the key. */
  readSql: string;
  /** Sets the acting user of a change. */
  actorSql: string;
  actorValues: string[];
  /** Takes the key and the comments. */
  updateSql: string;
  /** Takes the code of the port. */
  listSql: string;
}

export interface PeerOptions {
  databaseUrl: string;
  baseUrl: string;
  connections: number;
  /** Of the client of the service, so that changes by the peer look the same. */
  userKey: number;
}

export function planPeer({ databaseUrl, baseUrl, connections, userKey }: PeerOptions): PeerPlan {
  const voyage = buildModel(catalogue).types.get('Voyage')!;
  const links = { restUrl: `${baseUrl}/ws/rest` };
  const actor = actAs({ userKey, client: clientId });
  const list = compileList(parseListRequest(voyage, listQuery(portCode(1)), {}), links);
  return {
    databaseUrl,
    connections,
    readSql: compileRead(wholeView(voyage), links),
    actorSql: actor.text,
    actorValues: actor.values as string[],
    updateSql: updateObject(voyage, 1, new Map([['comments', '']])).text,
    listSql: list.text,
  };
}

export function listQuery(code: string): [string, string][] {
  return [
    ['filter', `ballastPort.unLoCode(EQ)${code}`],
    ['limit', '100'],
  ];
}
