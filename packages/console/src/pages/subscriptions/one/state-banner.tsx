// What keeps a subscription from working, and the way out of it.

import { Button } from '../../../elements/button.tsx';
import { notify } from '../../../elements/notices.tsx';
import { Time } from '../../../elements/time.tsx';
import { Link } from '../../../routing/link.tsx';
import { navigate } from '../../../routing/location.ts';
import { request } from '../../../service/request.ts';
import type { Subscription } from '../api-subscription.ts';
import { draftOf } from '../draft/draft.ts';
import { wholeBody } from '../draft/draft-body.ts';
import { missingSecrets } from '../draft/missing-secrets.ts';

interface StateBannerProps {
  subscription: Subscription;
  mayChange: boolean;
}

export function StateBanner({ subscription, mayChange }: StateBannerProps) {
  const { key, state, stateDate, stateReason, failingSince, consecutiveFailures, shapingError } = subscription;
  if (state === 'DEACTIVATED')
    return (
      <div class="banner bad" role="status">
        <p>
          <strong>Deactivated</strong> <Time at={stateDate} />. {stateReason} Changes are still collected, but nothing
          is sent. It cannot be activated again: a new subscription takes over its settings and what has failed.
        </p>
        {mayChange && <Replace subscription={subscription} />}
      </div>
    );
  if (state === 'UNSUBSCRIBED')
    return (
      <div class="banner" role="status">
        <p>
          <strong>Unsubscribed</strong> <Time at={stateDate} />. {stateReason}{' '}
          {mayChange && <Link to={`/subscriptions/new?copy=${key}`}>Create a copy</Link>}
        </p>
      </div>
    );
  return (
    <>
      {shapingError && (
        <div class="banner warn" role="status">
          <p>
            <strong>The script or stylesheet fails:</strong> {shapingError}{' '}
            {mayChange && <Link to={`/subscriptions/${key}/edit`}>Fix it</Link>}
          </p>
        </div>
      )}
      {failingSince && (
        <div class="banner warn" role="status">
          <p>
            <strong>Failing</strong> since <Time at={failingSince} />: {attemptsText(consecutiveFailures)}.{' '}
            <Link to={`/notifications?subscription=${key}&status=RETRYING&status=FAILED`}>See the errors</Link>
          </p>
        </div>
      )}
    </>
  );
}

function attemptsText(count: number): string {
  return count === 1 ? 'one attempt' : `${count.toLocaleString()} attempts in a row`;
}

/** At once, unless it has secrets: those are never shown, so they have to be entered again. */
function Replace({ subscription }: { subscription: Subscription }) {
  const secrets = missingSecrets(subscription);
  const editor = `/subscriptions/new?replaces=${subscription.key}`;
  if (secrets.length > 0)
    return (
      <div class="actions">
        <Link to={editor} class="button primary">
          Replace it
        </Link>
        <span class="faint">You will be asked for {secrets.join(', ')}.</span>
      </div>
    );
  const replace = async () => {
    const created = await request<{ key: number }>('/WebhookSubscription', {
      method: 'POST',
      body: replacementBody(subscription),
    });
    notify('Replaced. What had failed is sent again.');
    navigate(`/subscriptions/${created.key}`);
  };
  return (
    <div class="actions">
      <Button kind="primary" onClick={replace}>
        Replace it
      </Button>
      <Link to={editor} class="button">
        Change first, then replace
      </Link>
    </div>
  );
}

/** All settings as they are, with the event types letter by letter: they have to be the same. */
function replacementBody(subscription: Subscription): Record<string, unknown> {
  const body = Object.entries(wholeBody(draftOf(subscription))).filter(([, value]) => value !== null);
  const { key, eventTypes, user } = subscription;
  return { ...Object.fromEntries(body), eventTypes, user: user.key, replaces: key };
}
