// What needs attention, each one click from its fix.

import { useEffect } from 'preact/hooks';
import { Failure, Skeleton } from '../../elements/loading.tsx';
import { Section } from '../../elements/page.tsx';
import { Link } from '../../routing/link.tsx';
import { useFeedReload } from '../../service/use-feed-reload.ts';
import { useLoaded } from '../../service/use-loaded.ts';
import { type Attention, loadAttention } from './attention.ts';

const words: Readonly<Record<Attention['kind'], { symbol: string; word: string; tone: string }>> = {
  DEACTIVATED: { symbol: '✕', word: 'Deactivated', tone: 'bad' },
  FAILING: { symbol: '!', word: 'Failing', tone: 'warn' },
  SHAPING: { symbol: '!', word: 'Script or stylesheet fails', tone: 'warn' },
  BACKLOG: { symbol: '◌', word: 'Waiting', tone: 'wait' },
};

const reloadMs = 20_000;

export function NeedsAttention() {
  const loaded = useLoaded(loadAttention, []);
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) loaded.reload();
    }, reloadMs);
    return () => clearInterval(timer);
  }, []);
  useFeedReload(loaded, { subscriptions: () => true });
  useFeedReload(loaded, { notifications: ({ skipped }) => skipped > 0 }, reloadMs);
  const items = loaded.value ?? [];
  return (
    <Section title="Needs attention">
      {loaded.kind === 'failed' && <Failure error={loaded.error} retry={loaded.reload} />}
      {loaded.value === undefined && loaded.kind === 'loading' && <Skeleton rows={2} />}
      {loaded.value && items.length === 0 && <Nothing />}
      <ul class="attention">
        {items.map((item) => (
          <AttentionItem key={item.key} item={item} />
        ))}
      </ul>
    </Section>
  );
}

function Nothing() {
  return (
    <>
      <p class="ok">✓ Nothing</p>
      <p class="faint">
        Subscriptions appear here that were deactivated, or have failed for ten minutes. Until then, attempts are
        repeated.
      </p>
    </>
  );
}

function AttentionItem({ item: { kind, subscription, text, path, action } }: { item: Attention }) {
  const { symbol, word, tone } = words[kind];
  return (
    <li>
      <div>
        <p>
          <span class={tone}>
            <span aria-hidden="true">{symbol}</span> {word}
          </span>{' '}
          <Link to={`/subscriptions/${subscription.key}`}>{subscription.name || subscription.key}</Link>
        </p>
        <p class="faint attention-text">{text}</p>
      </div>
      <Link class="button" to={path}>
        {action}
      </Link>
    </li>
  );
}
