// The SDK of Flaghoist: a typed client, a webhook receiver and a stream consumer.

export type { Catalogue } from './catalogue.ts';
export type { Client, Page, ServiceResponse } from './client/client.ts';
export type { ClientOptions } from './client/client-options.ts';
export { createClient } from './client/create-client.ts';
export type { Filter, FilterValue } from './client/filter.ts';
export type { ServiceRequest } from './client/send-request.ts';
export type { EnsuredSubscription, SubscriptionWish } from './client/subscription-wish.ts';
export { type ClientErrorCode, type ErrorCode, FlaghoistError, type Violation } from './flaghoist-error.ts';
export type { Created, Minimized, Whole } from './objects/default-views.ts';
export type { FieldsOf, Selected } from './objects/field-selection.ts';
export type { PathOf } from './objects/paths.ts';
export type { Versioned } from './objects/versioned.ts';
export {
  type Answer,
  createReceiver,
  type Delivered,
  type Receiver,
  type ReceiverOptions,
} from './receive/create-receiver.ts';
export type { Change, Notification, Operation, Ping } from './receive/notification.ts';
export type { SeenIds } from './receive/process-delivery.ts';
export type { Handler, Handlers, Routes } from './receive/routes.ts';
export { toFastify } from './receive/to-fastify.ts';
export { toFetchHandler } from './receive/to-fetch-handler.ts';
export { toExpress, toNodeHandler } from './receive/to-node-handler.ts';
export type { PoisonVerdict, StreamHandlers, StreamOptions } from './stream/stream-options.ts';
