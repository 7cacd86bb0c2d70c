// What a client can do, with its types: they follow the catalogue, and the `fields` of each call.

import type { Catalogue } from '../catalogue.ts';
import type { Part, TypeName } from '../objects/attributes.ts';
import type { Created, Minimized, Whole } from '../objects/default-views.ts';
import type { Checked, FieldsOf, Selected } from '../objects/field-selection.ts';
import type { SortPathOf } from '../objects/paths.ts';
import type { Versioned } from '../objects/versioned.ts';
import type { StreamHandlers, StreamOptions } from '../stream/stream-options.ts';
import type { Filter } from './filter.ts';
import type { ServiceRequest } from './send-request.ts';
import type { EnsuredSubscription, SubscriptionWish } from './subscription-wish.ts';

export interface Client<C = Catalogue> {
  /** One object. */
  get<T extends TypeName<C>, const Fields extends Selection<T, C> = undefined>(
    type: T,
    key: number,
    options?: ReadOptions<T, Fields, C>,
  ): Promise<Answer<Whole<T, C>, T, Fields, C> & Versioned<T>>;

  /**
   * The one object that matches: `find('Voyage', { filter: [['referenceNo', 'EQ', 1007]] })`. If none does, the error is
   * `notFound`; if several do, `notUnique`.
   */
  find<T extends TypeName<C>, const Fields extends Selection<T, C> = undefined>(
    type: T,
    options: FindOptions<T, Fields, C>,
  ): Promise<Answer<Whole<T, C>, T, Fields, C> & Versioned<T>>;

  /** All objects that match, page by page: none is repeated or left out, whatever others write meanwhile. */
  list<T extends TypeName<C>, const Fields extends Selection<T, C> = undefined>(
    type: T,
    options?: ListOptions<T, Fields, C>,
  ): AsyncIterableIterator<Answer<Minimized<T, C>, T, Fields, C>>;

  /** One page of the objects that match. */
  page<T extends TypeName<C>, const Fields extends Selection<T, C> = undefined>(
    type: T,
    options?: PageOptions<T, Fields, C>,
  ): Promise<Page<Answer<Minimized<T, C>, T, Fields, C>>>;

  /** The number of objects that match. */
  count<T extends TypeName<C>>(type: T, options?: CountOptions<T, C>): Promise<number>;

  create<T extends TypeName<C>, const Fields extends Selection<T, C> = undefined>(
    type: T,
    object: Part<T, 'create', C>,
    options?: CreateOptions<T, Fields, C>,
  ): Promise<Answer<Created<T, C>, T, Fields, C> & Versioned<T>>;

  /** Creates all objects or none. */
  createAll<T extends TypeName<C>, const Fields extends Selection<T, C> = undefined>(
    type: T,
    objects: readonly Part<T, 'create', C>[],
    options?: CreateOptions<T, Fields, C>,
  ): Promise<Answer<Created<T, C>, T, Fields, C>[]>;

  /** Changes an object that this client read, unless it has changed since: that is an error `stale`. */
  update<T extends TypeName<C>, const Fields extends Selection<T, C> = undefined>(
    object: Versioned<T>,
    changes: Part<T, 'change', C>,
    options?: ReadOptions<T, Fields, C>,
  ): Promise<Answer<Whole<T, C>, T, Fields, C> & Versioned<T>>;

  /** Changes an object, whatever its state. */
  update<T extends TypeName<C>, const Fields extends Selection<T, C> = undefined>(
    type: T,
    key: number,
    changes: Part<T, 'change', C>,
    options?: ReadOptions<T, Fields, C>,
  ): Promise<Answer<Whole<T, C>, T, Fields, C> & Versioned<T>>;

  /** Deletes an object that this client read, unless it has changed since: that is an error `stale`. */
  delete<T extends TypeName<C>>(object: Versioned<T>, options?: CallOptions): Promise<void>;

  /** Deletes an object, whatever its state. */
  delete<T extends TypeName<C>>(type: T, key: number, options?: CallOptions): Promise<void>;

  /** An action of a type. If it is on one object, `input` has the `key` besides what the action takes. */
  call<T extends TypeName<C>, Name extends keyof Part<T, 'actions', C> & string>(
    type: T,
    action: Name,
    ...rest: CallArguments<Part<T, 'actions', C>[Name]>
  ): Promise<AnswerOf<Part<T, 'actions', C>[Name]>>;

  /**
   * The subscription of this name, as wanted: created, changed, replaced, or left as it is. To be called whenever the
   * program starts. Nothing is lost, and processes that start at once leave one subscription.
   */
  ensureSubscription(wish: SubscriptionWish, options?: CallOptions): Promise<EnsuredSubscription>;

  /**
   * Consumes the notifications of a subscription with the channel STREAM, and acknowledges each when its handler has
   * finished. Connects again when the connection is lost. Resolves when `signal` is aborted.
   */
  stream(subscriptionKey: number, handlers: StreamHandlers<C>, options?: StreamOptions): Promise<void>;

  /** Any other request, with the same token, retries and errors. */
  request(request: ServiceRequest): Promise<ServiceResponse>;
}

export interface CallOptions {
  signal?: AbortSignal | undefined;
}

export interface ReadOptions<T, Fields, C> extends CallOptions {
  /**
   * What the answer shows: `{ referenceNo: '*', portCalls: { eta: '*', port: { portName: '*' } } }`, or `'*'` for whole
   * objects. Default: one object is whole, and objects of a list are without their sub-objects.
   */
  fields?: Fields & Checked<T, Fields, C>;
}

export interface FindOptions<T, Fields, C> extends ReadOptions<T, Fields, C> {
  /** As for a list. */
  filter: readonly Filter<T, C>[];
}

export interface CreateOptions<T, Fields, C> extends ReadOptions<T, Fields, C> {
  /** A repeat with the same key within 24 hours creates nothing. Default: a new key for each call. */
  idempotencyKey?: string;
}

export interface CountOptions<T, C> extends CallOptions {
  /** All of them must match. `(OR)` between others starts a new group; one group must match. */
  filter?: readonly Filter<T, C>[];
}

interface SelectOptions<T, Fields, C> extends CountOptions<T, C>, ReadOptions<T, Fields, C> {
  /** Ascending or descending, `I`: regardless of case. `referenceNo(DS)` */
  sort?: readonly `${SortPathOf<T, C>}(${'AS' | 'ASI' | 'DS' | 'DSI'})`[];
}

export interface ListOptions<T, Fields, C> extends SelectOptions<T, Fields, C> {
  /** How many objects to fetch at a time, up to 2000. Default: 500. */
  pageSize?: number;
}

export interface PageOptions<T, Fields, C> extends SelectOptions<T, Fields, C> {
  /** At most 2000. Default: 100. */
  limit?: number;
  /** From 1. */
  pageNumber?: number;
  /** `next` of the page before. */
  after?: string;
  /** Do not count all matches: `total` is then undefined. */
  noCount?: boolean;
}

export interface Page<Listed> {
  objects: Listed[];
  /** The number of all objects that match. */
  total: number | undefined;
  /** For `after`, to get the next page; undefined: this is the last one. */
  next: string | undefined;
}

export interface ServiceResponse {
  status: number;
  headers: Headers;
  /** Parsed if it is JSON, else text. */
  body: unknown;
}

/** `'*'`: the whole object. */
type Selection<T, C> = FieldsOf<T, C> | '*' | undefined;

type Answer<Default, T, Fields, C> = Fields extends undefined
  ? Default
  : Fields extends '*'
    ? Whole<T, C>
    : Selected<T, Fields, C>;

type CallArguments<Action> = Action extends { on: infer Place; takes: infer Takes }
  ? Record<never, never> extends KeyFor<Place> & Takes
    ? [input?: KeyFor<Place> & Takes, options?: CallOptions]
    : [input: KeyFor<Place> & Takes, options?: CallOptions]
  : never;

type KeyFor<Place> = Place extends 'object' ? { key: number } : Place extends 'both' ? { key?: number } : unknown;

type AnswerOf<Action> = Action extends { answers: infer Answers } ? Answers : never;
