// Whether the page is live. A lost connection is said once, and that it is back.

import { useEffect } from 'preact/hooks';
import { notify } from '../elements/notices.tsx';
import type { FeedState } from '../service/live-connections.ts';
import { feedState, onFeed } from '../service/live-feed.ts';

const words: Readonly<Record<FeedState, string>> = { connecting: 'connecting', live: 'live', offline: 'offline' };

export function LiveMark() {
  useEffect(() => onFeed('reconnected', ({ wasLost }) => wasLost && notify('Connected again.')), []);
  return (
    <p class={`live-mark ${feedState.value}`} title="Whether this page shows changes as they happen" role="status">
      <span aria-hidden="true">●</span> {words[feedState.value]}
    </p>
  );
}
