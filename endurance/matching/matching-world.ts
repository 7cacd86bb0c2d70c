// What the load writes to: voyages with port calls and bunker orders that do not change, so that the expected
// notifications are known. Each client has its own.

import type { Asked, ServiceAnswers } from '../writes/service-answers.ts';

export interface ClientWorld {
  voyage: number;
  /** With two bunker orders at the first. */
  portCalls: readonly [number, number];
  bunkerOrders: readonly [number, number];
  vessel: number;
}

export interface MatchingWorld {
  bunkerType: number;
  clients: readonly ClientWorld[];
}

export async function makeMatchingWorld(service: ServiceAnswers, clients: number): Promise<MatchingWorld> {
  const create = (path: string, body: object) => createObject(service, { method: 'POST', path, body });
  // No such port or grade exists, so these cannot collide with the reference data.
  const port = (await create('Port', { unLoCode: 'ZZEND', portName: 'Endurance' })).key;
  const bunkerType = (await create('BunkerType', { bunkerTypeCode: 'ENDURANCE' })).key;
  const made: ClientWorld[] = [];
  while (made.length < clients) {
    const vessel = (await create('Vessel', { vesselName: 'Endurance' })).key;
    const call = { port, reasonForCall: 'L' };
    const voyage = await create('Voyage', { vessel, portCalls: [call, call] });
    const [first, second] = voyage.portCalls as { key: number }[];
    const order = {
      portCall: first!.key,
      vessel,
      bunkerOrderStatus: 'PLN',
      bunkerOrderLines: [{ minQuantity: 1, maxQuantity: 2, unitPrice: 500, bunkerType }],
    };
    const bunkerOrders = [(await create('BunkerOrder', order)).key, (await create('BunkerOrder', order)).key] as const;
    made.push({ voyage: voyage.key, portCalls: [first!.key, second!.key], bunkerOrders, vessel });
  }
  return { bunkerType, clients: made };
}

export type Created = Record<string, unknown> & { key: number };

export async function createObject(service: ServiceAnswers, asked: Asked): Promise<Created> {
  const answer = await service.ask(asked);
  if (answer.kind === 'lost' || answer.status !== 201)
    throw new Error(`${asked.path} could not be created: ${JSON.stringify(answer)}`);
  return answer.body as Created;
}
