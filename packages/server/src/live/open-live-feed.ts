// Opens a connection to the live feed.

import { ApiError } from '../errors.ts';
import { scopesNeeded } from '../model/scopes.ts';
import type { OperationCall, OperationStreamHandler } from '../objects/action-call.ts';
import { onlyUserFor } from '../objects/caller.ts';
import { LiveFeed, type Viewer } from './live-feed.ts';
import type { LiveHub } from './live-hub.ts';

/** Connections to one process: of one client, and of all together. */
const feedsOfClientMax = 100;
const feedsMax = 1_000;

export function openLiveFeed(hub: LiveHub): OperationStreamHandler {
  return async (call, openResponse) => {
    const viewer = viewerOf(call);
    if (hub.countOf(viewer.client) >= feedsOfClientMax || hub.size >= feedsMax)
      throw new ApiError(
        'tooManyRequests',
        `One process has at most ${feedsOfClientMax} live feeds of a client, and ${feedsMax} in all. Close others first.`,
        { headers: { 'retry-after': '5' } },
      );
    const feed: LiveFeed = new LiveFeed(viewer, openResponse(), () => hub.remove(feed));
    hub.add(feed);
  };
}

function viewerOf({ caller, model, scopes, given }: OperationCall): Viewer {
  const type = model.types.get('WebhookNotification')!;
  const sees = scopesNeeded(type.access.read).every((scope) => scopes.has(scope))
    ? (onlyUserFor(type, caller) ?? 'all')
    : 'none';
  const wants = { notifications: given.get('notifications') !== 'false', changes: given.get('changes') !== 'false' };
  return { client: caller.client, sees, model, wants };
}
