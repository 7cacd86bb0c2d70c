// Which handler serves which action and operation of the model.

import { accessActions } from './auth/clients/access-actions.ts';
import { deliveryActions } from './deliver/delivery-actions.ts';
import { statisticsActions } from './deliver/statistics/statistics-actions.ts';
import { openStream, streamActions } from './deliver/stream/stream-actions.ts';
import { readModel } from './describe/model-data/read-model.ts';
import type { HttpServerParts } from './edge/server.ts';
import { explainActions } from './explain/explain-actions.ts';
import { readChanges } from './history/read-changes.ts';
import { changeDemoFleet, type InstallationParts, readInstallation } from './installation/installation-operations.ts';
import type { LiveHub } from './live/live-hub.ts';
import { openLiveFeed } from './live/open-live-feed.ts';

type PartsOf<T extends (parts: never) => unknown> = Parameters<T>[0];

export type HandlerParts = PartsOf<typeof accessActions> &
  PartsOf<typeof explainActions> &
  PartsOf<typeof deliveryActions> &
  PartsOf<typeof streamActions> &
  PartsOf<typeof statisticsActions> &
  PartsOf<typeof readChanges> &
  InstallationParts & { live: LiveHub };

type Handlers = Pick<HttpServerParts, 'actions' | 'streams' | 'operations' | 'operationStreams'>;

export function createHandlers(parts: HandlerParts): Handlers {
  return {
    actions: new Map([
      ...accessActions(parts),
      ...explainActions(parts),
      ...deliveryActions(parts),
      ...streamActions(parts),
      ...statisticsActions(parts),
    ]),
    streams: new Map([['WebhookSubscription.stream', openStream(parts)]]),
    operations: new Map([
      ['readChanges', readChanges(parts)],
      ['readModel', readModel()],
      ['readInstallation', readInstallation(parts)],
      ['changeDemoFleet', changeDemoFleet(parts)],
    ]),
    operationStreams: new Map([['openLiveFeed', openLiveFeed(parts.live)]]),
  };
}
