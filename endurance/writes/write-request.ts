// Random writes of a client: objects of several types with sub-objects, changed, rearranged and deleted. Pure: returns
// what to send and what it would leave in the history.

import type { Dice } from '../dice.ts';

/** An object that only this client writes, as it last saw it. */
export interface OwnObject {
  type: OwnedType;
  key: number;
  mark: string;
  elements: { key: number; mark: string }[];
}

export type OwnedType = 'Voyage' | 'Document' | 'BunkerOrder' | 'Cargo' | 'Vessel';

export interface WriteRequest {
  method: 'POST' | 'PUT' | 'DELETE';
  type: OwnedType;
  body: object | undefined;
  /** Of all objects that it writes, that of the object itself first. */
  marks: string[];
  removedKeys: number[];
  /** What is changed or deleted. */
  subject: OwnObject | undefined;
}

/** Codes and keys of the shared objects. */
export interface World {
  port: string;
  partner: string;
  currency: string;
  commodity: string;
  bunkerType: string;
  vessel: number;
}

export interface Drafting {
  dice: Dice;
  world: World;
  own: readonly OwnObject[];
  /** A new mark. */
  nextMark: () => string;
}

/** The collection that is written inside each type. */
export const collectionOf: Record<OwnedType, string | undefined> = {
  Voyage: 'portCalls',
  Document: 'documentLines',
  BunkerOrder: 'bunkerOrderLines',
  Cargo: 'cargoPorts',
  Vessel: undefined,
};

const objectsKept = 60;

export function draftRequest(drafting: Drafting): WriteRequest {
  const { dice, own } = drafting;
  const subject = dice.pick(own);
  const isCrowded = own.length > objectsKept;
  if (subject === undefined || (!isCrowded && dice.isBelow(0.3))) return draftCreation(drafting);
  if (dice.isBelow(isCrowded ? 0.5 : 0.15)) return draftDeletion(subject);
  return subject.elements.length > 0 && dice.isBelow(0.5)
    ? draftRearrangement(drafting, subject)
    : draftChange(drafting, subject);
}

function draftCreation(drafting: Drafting): WriteRequest {
  const { dice, own } = drafting;
  const creation = { method: 'POST' as const, removedKeys: [], subject: undefined };
  const portCalls = own.filter(({ type }) => type === 'Voyage').flatMap(({ elements }) => elements);
  const portCall = dice.pick(portCalls);
  const type = dice.pick([
    'Voyage',
    'Document',
    'Cargo',
    'Vessel',
    ...(portCall ? ['BunkerOrder' as const] : []),
  ] as const)!;
  if (type === 'Vessel') {
    const vessels = Array.from({ length: dice.between(2, 5) }, () => marked(drafting, { vesselName: 'Endurance' }));
    return { ...creation, type, body: vessels, marks: marksIn(vessels) };
  }
  const body = marked(drafting, attributesOf(drafting, type, portCall?.key), elementsOf(drafting, type));
  return { ...creation, type, body, marks: marksIn(body) };
}

function draftChange(drafting: Drafting, subject: OwnObject): WriteRequest {
  const body = { externalObjectKey: drafting.nextMark() };
  return { method: 'PUT', type: subject.type, body, marks: marksIn(body), removedKeys: [], subject };
}

/** Some elements stay, some change, some are removed, some are added. */
function draftRearrangement(drafting: Drafting, subject: OwnObject): WriteRequest {
  const { dice } = drafting;
  const [kept, removed] = [[] as object[], [] as number[]];
  for (const { key } of subject.elements) {
    if (dice.isBelow(0.25)) removed.push(key);
    else kept.push(dice.isBelow(0.5) ? { key } : { key, externalObjectKey: drafting.nextMark() });
  }
  const added = kept.length === 0 || dice.isBelow(0.5) ? [elementOf(drafting, subject.type)] : [];
  const body = {
    externalObjectKey: drafting.nextMark(),
    [collectionOf[subject.type]!]: [...kept, ...added],
  };
  return { method: 'PUT', type: subject.type, body, marks: marksIn(body), removedKeys: removed, subject };
}

function draftDeletion(subject: OwnObject): WriteRequest {
  const removedKeys = [subject.key, ...subject.elements.map(({ key }) => key)];
  return { method: 'DELETE', type: subject.type, body: undefined, marks: [], removedKeys, subject };
}

function attributesOf({ world, dice }: Drafting, type: OwnedType, portCall: number | undefined): object {
  switch (type) {
    case 'Voyage':
      return { voyageStatus: 'NOM', vessel: world.vessel, ballastPort: world.port, freight: dice.between(1, 900_000) };
    case 'Document':
      return { documentType: 'INO', company: world.partner, currency: world.currency, documentAmount: 1250.75 };
    case 'BunkerOrder':
      return { bunkerOrderStatus: 'PLN', portCall, vessel: world.vessel, currency: world.currency };
    case 'Cargo':
      return {
        cargoMeasurement: 'MT',
        commodity: world.commodity,
        charterer: world.partner,
        freightCurrency: world.currency,
      };
    case 'Vessel':
      return { vesselName: 'Endurance' };
  }
}

function elementsOf(drafting: Drafting, type: OwnedType): object {
  const elements = Array.from({ length: drafting.dice.between(1, 3) }, () => elementOf(drafting, type));
  return { [collectionOf[type]!]: elements };
}

function elementOf(drafting: Drafting, type: OwnedType): object {
  const { world, dice } = drafting;
  switch (type) {
    case 'Voyage': {
      const logs = Array.from({ length: dice.between(0, 2) }, () => marked(drafting, { event: 'ARR' }));
      return marked(drafting, { port: world.port, reasonForCall: 'L' }, { eventLogs: logs });
    }
    case 'BunkerOrder':
      return marked(drafting, { minQuantity: 10, maxQuantity: 20.5, unitPrice: 512.25, bunkerType: world.bunkerType });
    case 'Cargo':
      return marked(drafting, { port: world.port, reasonForCall: 'D', quantity: 1000 });
    default:
      return marked(drafting, { lineText: 'endurance', amount: 12.5 });
  }
}

function marked(drafting: Drafting, attributes: object, collections: object = {}): object {
  return { externalObjectKey: drafting.nextMark(), ...attributes, ...collections };
}

/** The object's own mark comes first. */
function marksIn(body: object): string[] {
  if (Array.isArray(body)) return body.flatMap(marksIn);
  const { externalObjectKey } = body as { externalObjectKey?: string };
  const inside = Object.values(body).filter(Array.isArray).flatMap(marksIn);
  return externalObjectKey === undefined ? inside : [externalObjectKey, ...inside];
}
