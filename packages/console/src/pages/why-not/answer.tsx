// One answer: who was, or was not, notified of what, and why.

import { EvaluationTree } from '../../elements/evaluation-tree.tsx';
import { ObjectName } from '../../elements/object-link.tsx';
import { Time } from '../../elements/time.tsx';
import { Link } from '../../routing/link.tsx';
import type { Decision } from './decision.ts';

const operations: Readonly<Record<string, string>> = { C: 'creation', U: 'change', D: 'deletion' };

/** Reasons that another condition would change. */
const conditions = new Set(['EXPRESSION_FALSE', 'EXPRESSION_ERROR']);

export function Answer({ decision }: { decision: Decision }) {
  const { subscription, subscriptionName, objectType, objectKey, eventType, eventTime, isNotified } = decision;
  return (
    <li class={isNotified ? 'answer ok-line' : 'answer'}>
      <p>
        <Link to={`/subscriptions/${subscription}`}>{subscriptionName ?? `Subscription ${subscription}`}</Link>{' '}
        {isNotified ? 'was' : <strong>was not</strong>} notified of the {operations[eventType]} of{' '}
        <ObjectName type={objectType} objectKey={objectKey} />, <Time at={eventTime} />.
      </p>
      <p>{decision.message}</p>
      {decision.evaluation && <EvaluationTree evaluation={decision.evaluation} />}
      <p class="actions">
        {decision.notification && <Link to={`/notifications/${decision.notification}`}>Open the notification</Link>}
        {conditions.has(decision.reason) && (
          <Link to={`/subscriptions/${subscription}/edit`}>Edit this expression</Link>
        )}
      </p>
    </li>
  );
}
