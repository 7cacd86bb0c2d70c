// A small fleet, created over REST: what most tests of the interface need before they can say anything. Codes are made
// up and new each time, so that it fits beside any other data.

import { expect } from 'vitest';
import type { Answer, TestService } from './test-service.ts';

/** The body of an answer. */
export type Shown = Answer['body'];

/** What the other objects refer to, each as it was answered. */
export interface Fleet {
  vessel: Shown;
  port: Shown;
  otherPort: Shown;
  partner: Shown;
  currency: Shown;
  commodity: Shown;
  bunkerType: Shown;
}

export async function createFleet(service: TestService): Promise<Fleet> {
  return {
    vessel: await create(service, 'Vessel', { vesselName: `Vessel ${freshCode('V', 4)}` }),
    port: await create(service, 'Port', { unLoCode: freshCode('ZZ', 5), portName: 'Port of Loading' }),
    otherPort: await create(service, 'Port', { unLoCode: freshCode('ZZ', 5), portName: 'Port of Discharge' }),
    partner: await create(service, 'BusinessPartner', {
      businessPartnerCode: freshCode('BP-', 8),
      businessPartnerName: 'Partner',
    }),
    currency: await create(service, 'Currency', { currencyCode: freshCode('0', 3), currencyName: 'Test Crown' }),
    commodity: await create(service, 'Commodity', { commodityCode: freshCode('C-', 8), commodityName: 'Test Ore' }),
    bunkerType: await create(service, 'BunkerType', {
      bunkerTypeCode: freshCode('B-', 8),
      bunkerTypeName: 'Test Fuel',
    }),
  };
}

/** Posts the object and expects it to be taken. */
export async function create(service: TestService, resource: string, body: unknown): Promise<Shown> {
  const answer = await service.post(`/ws/rest/${resource}`, body);
  expect(answer.status, answer.text).toBe(201);
  return answer.body;
}

/** The whole object as it is now. */
export async function read(service: TestService, resource: string, key: number): Promise<Shown> {
  const answer = await service.get(`/ws/rest/${resource}/${key}`);
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}

/** Two port calls, with an event logged at the first. */
export function createVoyage(service: TestService, fleet: Fleet, more: object = {}): Promise<Shown> {
  return create(service, 'Voyage', {
    vessel: fleet.vessel.key,
    voyageStatus: 'NOM',
    portCalls: [
      { port: fleet.port.key, reasonForCall: 'L', eventLogs: [{ event: 'ARR' }] },
      { port: fleet.otherPort.key, reasonForCall: 'D' },
    ],
    ...more,
  });
}

/** What a Cargo needs at least, with a port of loading and one of discharge. */
export function cargoBody({ commodity, partner, currency, port, otherPort }: Fleet) {
  return {
    commodity: commodity.key,
    charterer: partner.key,
    freightCurrency: currency.key,
    cargoMeasurement: 'MT',
    cargoPorts: [
      { port: port.key, reasonForCall: 'L' },
      { port: otherPort.key, reasonForCall: 'D' },
    ],
  };
}

/** What a BunkerOrder at this port call needs at least, with two lines. */
export function bunkerOrderBody({ vessel, bunkerType }: Fleet, portCallKey: number) {
  const line = { minQuantity: 100, maxQuantity: 200, unitPrice: 512.5, bunkerType: bunkerType.key };
  return {
    portCall: portCallKey,
    vessel: vessel.key,
    bunkerOrderStatus: 'PLN',
    bunkerOrderLines: [line, { ...line, maxQuantity: 300 }],
  };
}

/** A text of this length that was never given before in this process. */
export function freshCode(prefix: string, length: number): string {
  codeCount += 1;
  return (
    prefix +
    codeCount
      .toString(36)
      .toUpperCase()
      .padStart(length - prefix.length, '0')
  );
}

let codeCount = 0;
