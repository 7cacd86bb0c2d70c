// What the histories subscribe to: every level of a world, references, references of references, and conditions over
// old and new values.

import { subscribe } from '../match/heard.ts';
import type { TestService } from '../support/test-service.ts';
import { elements, type Selection, type State, type TypeName } from './histories-oracle.ts';

export interface Wish {
  readonly type: TypeName;
  readonly operation: 'C' | 'U' | 'D';
  readonly selection: Selection;
  readonly isRaw: boolean;
  readonly condition?: Condition;
}

interface Condition {
  readonly expression: string;
  /** What the expression answers. An object that did not exist has empty collections. */
  holds(key: number, now: State, old: State): boolean;
}

export interface Subscribed extends Wish {
  readonly key: number;
}

const eventLogs = { event: '*', eventLogDate: '*' } as const;
const calledBy = { comments: '*', vessel: { vesselName: '*' } } as const;

/** In the order of the model. */
export const selections = {
  Voyage: {
    comments: '*',
    vessel: { vesselName: '*' },
    portCalls: { portCallSequence: '*', speed: '*', eventLogs },
    cargos: { quantity: '*', cargoPorts: { quantity: '*', portCall: { speed: '*' } } },
  },
  PortCall: { portCallSequence: '*', speed: '*', voyage: calledBy, eventLogs },
  Cargo: {
    quantity: '*',
    voyage: calledBy,
    cargoPorts: { quantity: '*', portCall: { speed: '*', voyage: { comments: '*' } } },
  },
  BunkerOrder: {
    extraCost: '*',
    portCall: { speed: '*', voyage: calledBy, eventLogs },
    bunkerOrderLines: { unitPrice: '*' },
  },
} as const satisfies Partial<Record<TypeName, Selection>>;

export type SelectedType = keyof typeof selections;

const lineOver = 'getBunkerOrderLines().stream().anyMatch(line -> line.getUnitPrice() > 600)';
const isAnyLineOver = (state: State, order: number) =>
  elements(state, 'bunkerOrderLines', order).some(({ unit_price }) => Number(unit_price) > 600);

const conditions: { type: SelectedType; condition: Condition }[] = [
  {
    type: 'Voyage',
    condition: {
      expression: 'svcObject.getPortCalls().size() != oldSvcObject.getPortCalls().size()',
      holds: (key, now, old) => elements(now, 'portCalls', key).length !== elements(old, 'portCalls', key).length,
    },
  },
  {
    type: 'BunkerOrder',
    condition: {
      expression:
        `svcObject.${lineOver} != oldSvcObject.${lineOver} || ` +
        'svcObject.getPortCall().getSpeed() > oldSvcObject.getPortCall().getSpeed()',
      holds: (key, now, old) =>
        isAnyLineOver(now, key) !== isAnyLineOver(old, key) || speedAt(now, key) > speedAt(old, key),
    },
  },
];

/** NaN if the order or its port call does not exist: for the expression, that is a null which cannot be compared. */
function speedAt(state: State, order: number): number {
  return Number(state.row(state.row(order)?.port_call as number)?.speed);
}

const wishes: Wish[] = [
  ...(Object.keys(selections) as SelectedType[]).flatMap((type) =>
    (['C', 'U', 'D'] as const).map((operation) => {
      const isRaw = type !== 'PortCall';
      return { type, operation, selection: selections[type], isRaw };
    }),
  ),
  ...conditions.map((each) => ({ ...each, operation: 'U' as const, selection: selections[each.type], isRaw: true })),
  { type: 'Vessel', operation: 'U', selection: { vesselName: '*' }, isRaw: true },
  { type: 'CargoPort', operation: 'D', selection: { quantity: '*', portCall: { speed: '*' } }, isRaw: true },
];

export async function subscribeToAll(service: TestService): Promise<Subscribed[]> {
  const all: Subscribed[] = [];
  for (const wish of wishes) {
    const key = await subscribe(service, {
      eventType: `${wish.type}.${wish.operation}`,
      json: Buffer.from(JSON.stringify(wish.selection)).toString('base64'),
      rawObject: wish.isRaw,
      doNotUnsubscribe: true,
      ...(wish.condition && { expression: wish.condition.expression }),
    });
    all.push({ ...wish, key });
  }
  return all;
}
