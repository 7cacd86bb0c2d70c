// The receiver alone, for programs that only receive notifications.

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
