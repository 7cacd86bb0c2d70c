// Which handler gets which notification: exact event types come before wildcards, and the fallback gets the rest.

import type { Catalogue } from '../catalogue.ts';
import type { TypeName } from '../objects/attributes.ts';
import type { Notification, Operation, Ping } from './notification.ts';

export type Handler<Received> = (notification: Received) => unknown;

/** `'BunkerOrder.U'`, `'BunkerOrder.*'`, `'*.U'` or `'*.*'`. */
export type Handlers<C = Catalogue> = {
  [Name in `${TypeName<C> | '*'}.${Operation | '*'}`]?: Handler<RoutedBy<Name, C>>;
};

type RoutedBy<Name, C> = Name extends `${infer Type}.${infer Routed}`
  ? EachOf<Type extends '*' ? TypeName<C> : Type, Routed extends '*' ? Operation : Routed, C>
  : never;

/** A union, so that `event` tells the type of the resource. */
type EachOf<Type extends string, Routed, C> = Type extends string
  ? Routed extends Operation
    ? Notification<Type, Routed, C>
    : never
  : never;

export interface Routes<C = Catalogue> {
  on?: Handlers<C>;
  /** Gets what no handler in `on` is for. */
  fallback: Handler<Notification>;
  /** Gets test messages. Without it, they are accepted and ignored. */
  onPing?: Handler<Ping>;
}

/** Whatever the catalogue. */
export interface AnyRoutes {
  on?: object;
  fallback: Handler<Notification>;
  onPing?: Handler<Ping>;
}

/** For programs that are not compiled with types. */
export function checkRoutes({ on = {}, fallback }: AnyRoutes): void {
  if (typeof fallback !== 'function')
    throw new TypeError('`fallback` is missing. Pass a function that gets the notifications that `on` has none for.');
  for (const [name, handler] of Object.entries(on)) {
    if (!/^(\*|[A-Za-z]\w*)\.[CUD*]$/.test(name))
      throw new TypeError(`\`on\` has '${name}', which is not an event type. Use one like 'BunkerOrder.U' or '*.D'.`);
    if (typeof handler !== 'function') throw new TypeError(`\`on['${name}']\` is not a function.`);
  }
}

export function findHandler({ on, fallback }: AnyRoutes, event: string): Handler<Notification> {
  const [type, operation] = event.split('.');
  const handlers = on as Readonly<Record<string, Handler<Notification> | undefined>> | undefined;
  const names = [event, `${type}.*`, `*.${operation}`, '*.*'];
  return names.map((name) => handlers?.[name]).find((handler) => handler !== undefined) ?? fallback;
}
