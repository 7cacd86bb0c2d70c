// Why the subscription was notified of recent changes, and why not.

import { useState } from 'preact/hooks';
import { EvaluationTree } from '../../../elements/evaluation-tree.tsx';
import { Empty, Loading } from '../../../elements/loading.tsx';
import { ObjectName } from '../../../elements/object-link.tsx';
import { Time } from '../../../elements/time.tsx';
import { Link } from '../../../routing/link.tsx';
import { place, setQuery } from '../../../routing/location.ts';
import { request } from '../../../service/request.ts';
import { useLoaded } from '../../../service/use-loaded.ts';
import type { Decision } from '../../why-not/decision.ts';
import type { Subscription } from '../api-subscription.ts';
import { type Operation, operationWords } from '../event-type.ts';

const shownMax = 200;

export function DecisionsTab({ subscription: { key } }: { subscription: Subscription }) {
  const shows = place.value.query.get('shows') ?? '';
  const loaded = useLoaded(
    (signal) => request<Decision[]>(`/WebhookSubscription/${key}/decisions`, { query: { limit: shownMax }, signal }),
    [key],
  );
  return (
    <Loading of={loaded}>
      {(decisions) => {
        const shown = decisions.filter(({ isNotified }) => shows === '' || isNotified === (shows === 'notified'));
        return (
          <>
            <div class="toolbar">
              <select
                aria-label="Which decisions"
                value={shows}
                onChange={(event) => setQuery({ shows: event.currentTarget.value }, { replace: true })}
              >
                <option value="">All decisions</option>
                <option value="notified">Notified</option>
                <option value="suppressed">Not notified</option>
              </select>
              <span class="faint">
                {notifiedCount(decisions)} of the last {decisions.length} notified
              </span>
              <button type="button" class="button quiet" onClick={loaded.reload}>
                Refresh
              </button>
            </div>
            {shown.length === 0 ? (
              <Empty>
                {decisions.length === 0 ? 'Nothing that could match has changed lately.' : 'There is none.'}
              </Empty>
            ) : (
              <ul class="decisions">
                {shown.map((decision) => (
                  <DecisionItem key={`${decision.event} ${decision.subscribedObjectKey}`} decision={decision} />
                ))}
              </ul>
            )}
          </>
        );
      }}
    </Loading>
  );
}

function notifiedCount(decisions: readonly Decision[]): number {
  return decisions.filter(({ isNotified }) => isNotified).length;
}

function DecisionItem({ decision }: { decision: Decision }) {
  const { isNotified, objectType, objectKey, eventType, eventTime, message, notification, log, evaluation } = decision;
  const [isOpen, setOpen] = useState(false);
  const hasMore = Boolean(evaluation) || (log ?? []).length > 0;
  return (
    <li>
      <span class={isNotified ? 'ok' : 'faint'} title={isNotified ? 'Notified' : 'Not notified'}>
        <span aria-hidden="true">{isNotified ? '✓' : '–'}</span>
        <span class="hidden">{isNotified ? 'Notified' : 'Not notified'}</span>
      </span>
      <div>
        <p>
          <ObjectName type={objectType} objectKey={objectKey} /> {operationWords[eventType as Operation]}{' '}
          <span class="faint">
            <Time at={eventTime} />
          </span>
        </p>
        <p class="faint">
          {message} {notification && <Link to={`/notifications/${notification}`}>Notification</Link>}
          {!isNotified && (
            <Link to={`/why-not?subscription=${decision.subscription}&change=${decision.event}`}>Why not?</Link>
          )}{' '}
          {hasMore && (
            <button type="button" class="button quiet" onClick={() => setOpen(!isOpen)} aria-expanded={isOpen}>
              {evaluation ? 'Values' : 'Log of the script'}
            </button>
          )}
        </p>
        {isOpen && evaluation && <EvaluationTree evaluation={evaluation} />}
        {isOpen && log && log.length > 0 && <pre class="log">{log.join('\n')}</pre>}
      </div>
    </li>
  );
}
