// Expressions for subscriptions, each with its meaning written by hand. `NullPointer` is the exception of Java: the
// notification is suppressed, and the reason is recorded.

import { type TypeName, typeTable, type Value } from './reference-model.ts';
import type { Seen } from './reference-model-visibility.ts';

export class NullPointer extends Error {}

export interface ModelExpression {
  text: string;
  /** `own`: the attributes of the subscribed object alone. */
  reads: 'own' | 'more';
  /** `old` is null on create: its getters answer null, and its collections are empty. */
  isTrue(now: Seen, old: Seen | null, changed: SeenChange): boolean;
}

/** The object that changed. */
export interface SeenChange {
  type: TypeName;
  now: Seen;
  /** Null if it did not exist before. */
  old: Seen | null;
}

export type Verdict = 'true' | 'EXPRESSION_FALSE' | 'EXPRESSION_ERROR';

export function judgeExpression(
  { isTrue }: ModelExpression,
  now: Seen,
  old: Seen | null,
  changed: SeenChange,
): Verdict {
  try {
    return isTrue(now, old, changed) ? 'true' : 'EXPRESSION_FALSE';
  } catch (error) {
    if (error instanceof NullPointer) return 'EXPRESSION_ERROR';
    throw error;
  }
}

export function expressionsOf(type: TypeName): readonly ModelExpression[] {
  return [...numberExpressions(type), ...codeExpressions(type), ...further[type]];
}

function numberExpressions(type: TypeName): ModelExpression[] {
  const name = Object.keys(typeTable[type].attributes)[0]!;
  if (name === 'isDateFixed') return [];
  return [
    {
      text: `svcObject.${getter(name)} > 5`,
      reads: 'own',
      isTrue: (now) => number(now.value(name)) > 5,
    },
    {
      text: `${name} > 5`,
      reads: 'own',
      isTrue: (now) => now.value(name) !== null && Number(now.value(name)) > 5,
    },
    {
      text: `oldSvcObject.${getter(name)} < svcObject.${getter(name)}`,
      reads: 'own',
      isTrue: (now, old) => number(old?.value(name) ?? null) < number(now.value(name)),
    },
  ];
}

function codeExpressions(type: TypeName): ModelExpression[] {
  const name = Object.keys(typeTable[type].attributes)[1]!;
  if (name === 'unitPrice') return [];
  const code = String(typeTable[type].attributes[name]!.at(-1));
  return [
    {
      text: `oldSvcObject != null && !Objects.equals(svcObject.${getter(name)}, oldSvcObject.${getter(name)})`,
      reads: 'own',
      isTrue: (now, old) => old !== null && now.value(name) !== old.value(name),
    },
    {
      text: `svcObject.${getter(name)}.equals("${code}") && !oldSvcObject.${getter(name)}.equals("${code}")`,
      reads: 'own',
      isTrue: (now, old) => there(now.value(name)) === code && there(old?.value(name) ?? null) !== code,
    },
    {
      text: `.${name} = ${code} && old.${name} != ${code}`,
      reads: 'own',
      isTrue: (now, old) => {
        const before = old?.value(name) ?? null;
        return now.value(name) === code && before !== null && before !== code;
      },
    },
  ];
}

/** For types with port calls in their hierarchy. */
const ofChangedPortCall: ModelExpression[] = [
  {
    text:
      'changedObject instanceof PortCall && ' +
      '!Objects.equals(changedObject.getSpeed(), oldChangedObject.getSpeed())',
    reads: 'own',
    isTrue: (_now, _old, { type, now, old }) =>
      type === 'PortCall' && now.value('speed') !== (old?.value('speed') ?? null),
  },
  {
    text: 'changedObject.getSpeed() == null && oldChangedObject == null',
    reads: 'own',
    isTrue: (_now, _old, { type, now, old }) => (type !== 'PortCall' || now.value('speed') === null) && old === null,
  },
];

const further: Record<TypeName, ModelExpression[]> = {
  Voyage: [
    ...ofChangedPortCall,
    {
      text: 'oldSvcObject != null && svcObject.getPortCalls().size() != oldSvcObject.getPortCalls().size()',
      reads: 'more',
      isTrue: (now, old) => old !== null && now.elements('portCalls').length !== old.elements('portCalls').length,
    },
    {
      text: 'svcObject.getPortCalls().stream().anyMatch(p -> p.getSpeed() != null && p.getSpeed() > 5)',
      reads: 'more',
      isTrue: (now) => now.elements('portCalls').some((call) => Number(call.value('speed')) > 5),
    },
    {
      text:
        'svcObject.getPortCalls().stream().anyMatch(p -> p.getEventLogs().stream().anyMatch(e -> ' +
        'e.getEvent().equals("ARR"))) && oldSvcObject.getPortCalls().stream().noneMatch(p -> ' +
        'p.getEventLogs().stream().anyMatch(e -> e.getEvent().equals("ARR")))',
      reads: 'more',
      isTrue: (now, old) => hasArrived(now) && !(old && hasArrived(old)),
    },
    {
      text: 'svcObject.getCargos().stream().allMatch(c -> c.getCargoPorts().size() == 2)',
      reads: 'more',
      isTrue: (now) => now.elements('cargos').every((cargo) => cargo.elements('cargoPorts').length === 2),
    },
  ],
  PortCall: [
    ...ofChangedPortCall,
    {
      text: 'svcObject.getVoyage().getVoyageStatus().equals("NOM")',
      reads: 'more',
      isTrue: (now) => there(there(now.reference('voyage')).value('voyageStatus')) === 'NOM',
    },
    {
      text: 'oldSvcObject == null || svcObject.getEventLogs().size() > oldSvcObject.getEventLogs().size()',
      reads: 'more',
      isTrue: (now, old) => old === null || now.elements('eventLogs').length > old.elements('eventLogs').length,
    },
    {
      text: 'svcObject.getVoyage() != oldSvcObject.getVoyage()',
      reads: 'more',
      isTrue: (now, old) => now.reference('voyage')?.mark !== old?.reference('voyage')?.mark,
    },
  ],
  EventLog: [
    {
      text: 'svcObject.getPortCall().getSpeed() > 5',
      reads: 'more',
      isTrue: (now) => number(there(now.reference('portCall')).value('speed')) > 5,
    },
    {
      text: 'svcObject.getPortCall().getVoyage().getVoyageStatus() == null',
      reads: 'more',
      isTrue: (now) => there(there(now.reference('portCall')).reference('voyage')).value('voyageStatus') === null,
    },
  ],
  Cargo: [
    { text: 'svcObject.getVoyage() == null', reads: 'more', isTrue: (now) => now.reference('voyage') === null },
    {
      text: 'svcObject.getCargoPorts().size() > 1',
      reads: 'more',
      isTrue: (now) => now.elements('cargoPorts').length > 1,
    },
    {
      text: 'oldSvcObject.getVoyage().getDaysTotal() > 5',
      reads: 'more',
      isTrue: (_, old) => number(old && there(old.reference('voyage')).value('daysTotal')) > 5,
    },
  ],
  CargoPort: [
    {
      text: 'svcObject.getPortCall().getReasonForCall().equals("L")',
      reads: 'more',
      isTrue: (now) => there(now.reference('portCall')).value('reasonForCall') === 'L',
    },
  ],
  BunkerOrder: [
    ...ofChangedPortCall,
    {
      text: '!Objects.equals(svcObject.getPortCall().getSpeed(), oldSvcObject.getPortCall().getSpeed())',
      reads: 'more',
      isTrue: (now, old) =>
        there(now.reference('portCall')).value('speed') !== (old && there(old.reference('portCall')).value('speed')),
    },
    {
      text: 'svcObject.getPortCall().getEventLogs().stream().anyMatch(e -> e.getEvent().equals("DEP"))',
      reads: 'more',
      isTrue: (now) =>
        there(now.reference('portCall'))
          .elements('eventLogs')
          .some((log) => log.value('event') === 'DEP'),
    },
    {
      text: 'svcObject.getBunkerOrderLines().size() != oldSvcObject.getBunkerOrderLines().size()',
      reads: 'more',
      isTrue: (now, old) => now.elements('bunkerOrderLines').length !== (old?.elements('bunkerOrderLines').length ?? 0),
    },
  ],
  BunkerOrderLine: [
    {
      text: 'svcObject.getBunkerOrder().getBunkerOrderStatus().equals("ORD")',
      reads: 'more',
      isTrue: (now) => there(now.reference('bunkerOrder')).value('bunkerOrderStatus') === 'ORD',
    },
  ],
};

function hasArrived(voyage: Seen): boolean {
  return voyage
    .elements('portCalls')
    .some((call) => call.elements('eventLogs').some((log) => log.value('event') === 'ARR'));
}

function getter(name: string): string {
  return `get${name[0]!.toUpperCase()}${name.slice(1)}()`;
}

function there<T>(value: T | null): T {
  if (value === null) throw new NullPointer();
  return value;
}

function number(value: Value): number {
  return Number(there(value));
}
