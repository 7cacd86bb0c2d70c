// One notification that the page has received: its headers and its body.

import { useState } from 'preact/hooks';
import { Button } from '../../elements/button.tsx';
import { CodeBlock } from '../../elements/copied.tsx';
import { JsonTree } from '../../elements/json-tree.tsx';
import { Time } from '../../elements/time.tsx';
import { Link } from '../../routing/link.tsx';
import { parseExactly } from '../../service/exact-json.ts';
import type { Received } from './stream-consumer.ts';

interface ReceivedNotificationProps {
  received: Received;
  onAcknowledge(): Promise<void>;
}

export function ReceivedNotification({ received, onAcknowledge }: ReceivedNotificationProps) {
  const [isOpen, setOpen] = useState(false);
  const { notification, headers, body, receivedAtMs, isAcknowledged } = received;
  const attempt = Number(headers['flaghoist-attempt'] ?? 1);
  return (
    <li>
      <div class="received-head">
        <button type="button" class="received-toggle" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          <span aria-hidden="true">{isOpen ? '▾' : '▸'}</span> {headers['flaghoist-event'] ?? 'message'}
        </button>
        <span class="faint received-text">{summaryOf(body)}</span>
        {attempt > 1 && <span class="warn">attempt {attempt}</span>}
        <Authenticity isAuthentic={received.isAuthentic} />
        <span class="faint">
          <Time at={new Date(receivedAtMs).toISOString()} absolute />
        </span>
        <span class="received-state">
          {isAcknowledged ? (
            <span class="ok">✓ acknowledged</span>
          ) : (
            <Button kind="quiet" onClick={onAcknowledge}>
              Acknowledge
            </Button>
          )}
        </span>
      </div>
      {isOpen && (
        <div class="received-content">
          <CodeBlock
            label="Headers"
            text={Object.entries(headers)
              .map(([name, value]) => `${name}: ${value}`)
              .join('\n')}
          />
          <Body body={body} />
          <p>
            <Link to={`/notifications/${notification}`}>Open the notification</Link>
          </p>
        </div>
      )}
    </li>
  );
}

function Authenticity({ isAuthentic }: { isAuthentic: boolean | undefined }) {
  if (isAuthentic === undefined) return null;
  return isAuthentic ? <span class="ok">✓ authentic</span> : <span class="bad">✕ wrong signature</span>;
}

function Body({ body }: { body: string }) {
  const tree = parseObject(body);
  return tree === undefined ? <CodeBlock label="Body" text={body} /> : <JsonTree value={tree} />;
}

function parseObject(body: string): object | undefined {
  try {
    const value = parseExactly<unknown>(body);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

interface Change {
  attribute?: unknown;
  old?: unknown;
  new?: unknown;
}

/** The first changes, if the subscription has `includeChanges`. */
function summaryOf(body: string): string {
  const { changes, eventType } = (parseObject(body) ?? {}) as { changes?: Change[]; eventType?: string };
  if (!Array.isArray(changes) || eventType !== 'U') return '';
  return changes
    .slice(0, 2)
    .map((change) => `${change.attribute}: ${valueText(change.old)} → ${valueText(change.new)}`)
    .join(', ');
}

function valueText(value: unknown): string {
  if (value === null || value === undefined) return '–';
  if (typeof value === 'object') return 'key' in value ? String(value.key) : '…';
  return String(value).slice(0, 40);
}
