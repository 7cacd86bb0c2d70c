// A few ways to begin, for those who have never made a subscription. Each is complete: a stream needs no receiver.

import type { Model } from '../../../model/model.ts';
import type { Draft } from '../draft/draft.ts';
import { eventRows } from '../draft/draft.ts';

interface Start {
  title: string;
  eventTypes: readonly string[];
  expression: string;
}

const starts: readonly Start[] = [
  { title: 'Every change of a voyage', eventTypes: ['Voyage.*'], expression: '' },
  {
    title: 'An arrival is delayed',
    eventTypes: ['PortCall.U'],
    expression: 'eta > old.eta',
  },
  {
    title: 'Bunkers are ordered',
    eventTypes: ['BunkerOrder.U'],
    expression: 'bunkerOrderStatus = ORD && old.bunkerOrderStatus != ORD',
  },
];

export function StartChoice({ model, onChoose }: { model: Model; onChoose(part: Partial<Draft>): void }) {
  const possible = starts.filter(({ eventTypes }) => eventTypes.every((text) => model.byName.has(text.split('.')[0]!)));
  if (possible.length === 0) return null;
  return (
    <p class="note starts">
      <span>Start with</span>
      {possible.map(({ title, eventTypes, expression }) => (
        <button
          key={title}
          type="button"
          class="button"
          onClick={() => onChoose({ name: title, events: eventRows(eventTypes), expression, channelType: 'STREAM' })}
        >
          {title}
        </button>
      ))}
      <span>or choose below.</span>
    </p>
  );
}
