// What a client does: one method per operation of the service. `client.ts` has the types.

import type { Catalogue } from '../catalogue.ts';
import { FlaghoistError } from '../flaghoist-error.ts';
import { consumeStream } from '../stream/consume-stream.ts';
import type { StreamHandlers, StreamOptions } from '../stream/stream-options.ts';
import type { CallOptions, Client, Page, ServiceResponse } from './client.ts';
import { ensureSubscription } from './ensure-subscription.ts';
import { type Filter, renderFilter } from './filter.ts';
import { type Answered, expectJson, isObject, nextOf, readAnswer } from './read-answer.ts';
import { openResponse, type SendRequest, type ServiceRequest } from './send-request.ts';
import type { EnsuredSubscription, SubscriptionWish } from './subscription-wish.ts';

interface Options extends CallOptions {
  fields?: object | '*';
  idempotencyKey?: string;
  filter?: readonly Filter<unknown>[];
  sort?: readonly string[];
  pageSize?: number;
  limit?: number;
  pageNumber?: number;
  after?: string;
  noCount?: boolean;
}

/** Where an object is, and its state. */
interface State {
  path: string;
  etag: string;
}

export interface ServiceClientParts {
  send: SendRequest;
  exactNumbers: boolean;
  /** Of the caller. Undefined: its token does not say. */
  clientId(): Promise<string | undefined>;
}

export class ServiceClient {
  readonly #send: SendRequest;
  readonly #exactNumbers: boolean;
  readonly #clientId: () => Promise<string | undefined>;
  /** The state of each object that was read, as long as the caller has the object. */
  readonly #states = new WeakMap<object, State>();

  constructor({ send, exactNumbers, clientId }: ServiceClientParts) {
    this.#send = send;
    this.#exactNumbers = exactNumbers;
    this.#clientId = clientId;
  }

  get(type: string, key: number, options: Options = {}): Promise<object> {
    return this.#one('GET', pathOf(type, key), options);
  }

  async find(type: string, { filter, ...options }: Options): Promise<object> {
    if (!filter?.length) throw new FlaghoistError('invalidRequest', '`find` needs a `filter` that one object matches.');
    const { objects, total } = await this.#matches(type, { filter, signal: options.signal });
    if (total === 0) throw new FlaghoistError('notFound', `No ${type} matches the filter.`);
    if (total > 1) {
      const problem = `${total} objects of the type ${type} match the filter, and one was expected.`;
      throw new FlaghoistError('notUnique', `${problem} Add a filter, or use \`list\`.`);
    }
    return this.get(type, (objects[0] as { key: number }).key, options);
  }

  async *list(type: string, { pageSize = 500, ...options }: Options = {}): AsyncGenerator<object> {
    let after: string | undefined;
    do {
      const { objects, next } = await this.page(type, { ...options, limit: pageSize, noCount: true, after });
      yield* objects;
      after = next;
    } while (after !== undefined);
  }

  async page(type: string, options: Options = {}): Promise<Page<object>> {
    const { filter, sort, limit = 100, pageNumber, after, noCount } = options;
    const query = { filter: filter?.map(renderFilter), sort, limit, pageNumber, after };
    const more = { query, headers: { noCount: noCount ? 'YES' : undefined } };
    const request = requestFor('GET', pathOf(type), options, more);
    const { headers, body: objects } = await this.#requestJson<object[]>(request, Array.isArray);
    const total = headers.get('totalObjectsNumber');
    return { objects, total: total === null ? undefined : Number(total), next: nextOf(headers, after) };
  }

  async count(type: string, options: Options = {}): Promise<number> {
    return (await this.#matches(type, options)).total;
  }

  /** How many match, and one of them. */
  async #matches(type: string, { filter, signal }: Options): Promise<{ objects: object[]; total: number }> {
    const { objects, total } = await this.page(type, { filter, signal, limit: 1, fields: {} });
    if (total !== undefined) return { objects, total };
    throw new FlaghoistError('invalidAnswer', 'The header `totalObjectsNumber` is missing. Does a proxy remove it?');
  }

  create(type: string, object: object, options: Options = {}): Promise<object> {
    return this.#one('POST', pathOf(type), options, { body: object });
  }

  async createAll(type: string, objects: readonly object[], options: Options = {}): Promise<object[]> {
    const request = requestFor('POST', pathOf(type), options, { body: objects });
    return (await this.#requestJson<object[]>(request, Array.isArray)).body;
  }

  async update(...given: ByObjectOrKey<[changes: object, options?: Options]>): Promise<object> {
    if (!isByObject(given)) {
      const [type, key, changes, options = {}] = given;
      return this.#one('PUT', pathOf(type, key), options, { body: changes });
    }
    const [object, changes, options = {}] = given;
    const { path, etag } = this.#stateOf(object, `update(type, key, changes)`);
    const changed = await this.#one('PUT', path, options, { body: changes, headers: { 'if-match': etag } });
    // Nobody else changed the object in between, so the old one may be used to change it again.
    this.#states.set(object, this.#states.get(changed)!);
    return changed;
  }

  async delete(...given: ByObjectOrKey<[options?: Options]>): Promise<void> {
    if (!isByObject(given)) {
      const [type, key, options = {}] = given;
      return this.#delete(requestFor('DELETE', pathOf(type, key), options));
    }
    const [object, options = {}] = given;
    const { path, etag } = this.#stateOf(object, 'delete(type, key)');
    return this.#delete(requestFor('DELETE', path, options, { headers: { 'if-match': etag } }));
  }

  async call(type: string, action: string, input: { key?: number } = {}, options: Options = {}): Promise<unknown> {
    const { key, ...takes } = input;
    const path = `${pathOf(type, key)}/${encodeURIComponent(action)}`;
    const request = Object.hasOwn(readActions, action)
      ? requestFor('GET', path, options, { query: takes as ServiceRequest['query'] })
      : requestFor('POST', path, options, { body: takes });
    return (await this.#requestJson(request, () => true)).body;
  }

  request(request: ServiceRequest): Promise<ServiceResponse> {
    return this.#send(request, (response) => readAnswer(operationOf(request), response, this.#exactNumbers));
  }

  async #requestJson<Body>(request: ServiceRequest, isExpected: (body: unknown) => boolean): Promise<Answered<Body>> {
    return expectJson(operationOf(request), await this.request(request), isExpected);
  }

  stream(subscriptionKey: number, handlers: StreamHandlers, options?: StreamOptions): Promise<void> {
    return consumeStream((request) => openResponse(this.#send, request), subscriptionKey, handlers, options);
  }

  ensureSubscription(wish: SubscriptionWish, options?: CallOptions): Promise<EnsuredSubscription> {
    return ensureSubscription({ client: this as unknown as Client, clientId: this.#clientId }, wish, options);
  }

  /** Remembers the state of the object that is answered. */
  async #one(method: string, path: string, options: Options, more: Partial<ServiceRequest> = {}): Promise<object> {
    const request = requestFor(method, path, options, more);
    const { headers, body: object } = await this.#requestJson<{ key: number }>(request, isObject);
    const etag = headers.get('etag');
    if (etag !== null) this.#states.set(object, { path: method === 'POST' ? `${path}/${object.key}` : path, etag });
    return object;
  }

  #stateOf(object: object, otherForm: string): State {
    const state = this.#states.get(object);
    if (state) return state;
    const problem = 'This client did not read the object by get, create or update, so its state is not known.';
    throw new FlaghoistError('unsafeUpdate', `${problem} Read it first, or use ${otherForm}.`);
  }

  async #delete(request: ServiceRequest): Promise<void> {
    try {
      await this.request(request);
    } catch (error) {
      // An earlier attempt got no answer, but has deleted the object.
      const isDone = error instanceof FlaghoistError && error.status === 404 && error.cause !== undefined;
      if (!isDone) throw error;
    }
  }
}

/** The actions that are a GET: what they take is in the query. */
const readActions: Record<ReadAction<keyof Catalogue>, true> = {
  decisions: true,
  health: true,
  statistics: true,
};

type ReadAction<T> = T extends keyof Catalogue ? NameOfGet<Catalogue[T]['actions']> : never;

type NameOfGet<Actions> = {
  [Name in keyof Actions]: Actions[Name] extends { method: 'GET' } ? Name : never;
}[keyof Actions];

/** The object that was read, or type and key. */
type ByObjectOrKey<Rest extends unknown[]> = [object: object, ...Rest] | [type: string, key: number, ...Rest];

function isByObject<Rest extends unknown[]>(given: ByObjectOrKey<Rest>): given is [object: object, ...Rest] {
  return typeof given[0] === 'object';
}

function pathOf(type: string, key?: number): string {
  const path = `/ws/rest/${encodeURIComponent(type)}`;
  return key === undefined ? path : `${path}/${encodeURIComponent(key)}`;
}

function requestFor(
  method: string,
  path: string,
  { signal, fields, idempotencyKey }: Options,
  { headers, ...more }: Partial<ServiceRequest> = {},
): ServiceRequest {
  const general = { fields: fields && JSON.stringify(fields), 'idempotency-key': idempotencyKey };
  return { method, path, signal, ...more, headers: { ...general, ...headers } };
}

/** Without the query, for errors. */
function operationOf({ method, path }: ServiceRequest): string {
  return `${method} ${path.split('?', 1)[0]}`;
}
