// What a handler is given has the type of its event.

import { expect, expectTypeOf, test } from 'vitest';
import { createReceiver, type Notification } from '../../src/receiver.ts';

const secret = `whsec_${'A'.repeat(32)}`;

interface OwnCatalogue {
  Berth: { scalars: { key: number; berthName: string }; references: object; collections: object };
}

test('handlers are typed by their event; wildcards are narrowed by it', () => {
  createReceiver({
    secret,
    on: {
      'BunkerOrder.U': (notification) => {
        expectTypeOf(notification.event).toEqualTypeOf<'BunkerOrder.U'>();
        expectTypeOf(notification.resource.key).toEqualTypeOf<number>();
        expectTypeOf(notification.resource.bunkerOrderLines[0]!.key).toEqualTypeOf<number>();
        // @ts-expect-error: a bunker order has no port calls.
        notification.resource.portCalls;
      },
      'Voyage.*': async ({ event, resource }) => {
        expectTypeOf(event).toEqualTypeOf<'Voyage.C' | 'Voyage.U' | 'Voyage.D'>();
        expectTypeOf(resource.referenceNo).toEqualTypeOf<number>();
      },
      '*.D': (notification) => {
        expectTypeOf(notification.resource.key).toEqualTypeOf<number>();
        if (notification.event === 'Voyage.D') expectTypeOf(notification.resource.referenceNo).toEqualTypeOf<number>();
      },
    },
    fallback: (notification) => expectTypeOf(notification).toEqualTypeOf<Notification>(),
  });
  createReceiver({
    secret,
    on: {
      // @ts-expect-error: there is no such type.
      'BunkerOrders.U': () => undefined,
    },
    fallback: () => undefined,
  });
  // @ts-expect-error: what is not handled must go somewhere.
  expect(() => createReceiver({ secret, on: {} })).toThrow('`fallback` is missing.');
});

test('with a catalogue of an installation, its own types are routed', () => {
  createReceiver<OwnCatalogue>({
    secret,
    on: { 'Berth.C': ({ resource }) => expectTypeOf(resource.berthName).toEqualTypeOf<string>() },
    fallback: () => undefined,
  });
});
