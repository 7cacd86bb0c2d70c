// All of one notification: what it is about, its state, and tabs. In the panel and on its own page.

import { Button } from '../../elements/button.tsx';
import { Copied } from '../../elements/copied.tsx';
import { Empty, Loading } from '../../elements/loading.tsx';
import { notifyError } from '../../elements/notices.tsx';
import { objectPath } from '../../elements/object-link.tsx';
import { StatusMark } from '../../elements/status-mark.tsx';
import { chosenTab, Tabs } from '../../elements/tabs.tsx';
import { TimeUntil } from '../../elements/time.tsx';
import { useKeys } from '../../keys/shortcuts.ts';
import { Link } from '../../routing/link.tsx';
import { request } from '../../service/request.ts';
import { ServiceError } from '../../service/service-error.ts';
import { useFeedReload } from '../../service/use-feed-reload.ts';
import { useLoaded } from '../../service/use-loaded.ts';
import { AttemptsTab } from './attempts-tab.tsx';
import { BodyTab } from './body-tab.tsx';
import { ChangesTab } from './changes-tab.tsx';
import { eventName, type Notification, notificationFields, shownStatus, subscriptionName } from './notification.ts';
import { SameObjectTab } from './same-object-tab.tsx';
import { maySend, sendAgain } from './send-again.ts';
import { TimelineTab } from './timeline-tab.tsx';

const tabs = [
  { id: 'timeline', title: 'Timeline', Content: TimelineTab },
  { id: 'changes', title: 'Changes', Content: ChangesTab },
  { id: 'body', title: 'Body', Content: BodyTab },
  { id: 'attempts', title: 'Attempts', Content: AttemptsTab },
  { id: 'object', title: 'Same object', Content: SameObjectTab },
] as const;

export function NotificationView({ notificationKey }: { notificationKey: number }) {
  const loaded = useLoaded(
    (signal) =>
      request<Notification>(`/WebhookNotification/${notificationKey}`, { fields: notificationFields, signal }),
    [notificationKey],
  );
  useFeedReload(loaded, {
    notifications: ({ rows, skipped }) => skipped > 0 || rows.some(({ key }) => key === notificationKey),
  });
  const isGone = loaded.kind === 'failed' && loaded.error instanceof ServiceError && loaded.error.status === 404;
  if (isGone)
    return <Empty>There is no notification {notificationKey}. It may be older than notifications are kept.</Empty>;
  return <Loading of={loaded}>{(notification) => <Shown notification={notification} />}</Loading>;
}

function Shown({ notification }: { notification: Notification }) {
  const { Content } = tabs.find(({ id }) => id === chosenTab(tabs))!;
  const send = () => sendAgain(notification);
  useKeys({ r: maySend() ? () => send().catch(notifyError) : undefined });
  return (
    <article>
      <header class="notification-head">
        <div>
          <h2>
            {eventName(notification)}{' '}
            <Link class="mono" to={objectPath(notification.objectType, notification.objectKey)}>
              {notification.objectKey}
            </Link>
          </h2>
          <p>
            <StatusMark status={shownStatus(notification)} />{' '}
            {notification.nextAttemptDate && (
              <span class="faint">
                next attempt <TimeUntil at={notification.nextAttemptDate} />
              </span>
            )}
          </p>
          <p>
            <span class="faint">for</span>{' '}
            <Link to={`/subscriptions/${notification.subscription.key}`}>{subscriptionName(notification)}</Link>{' '}
            <span class="faint">id</span> <Copied text={notification.id} />
          </p>
        </div>
        {maySend() && (
          <Button onClick={send} disabled={notification.status === 'PENDING'} title="Send again (r)">
            Send again
          </Button>
        )}
      </header>
      <Tabs label="Parts of the notification" tabs={tabs} />
      <div role="tabpanel" aria-label={tabs.find(({ id }) => id === chosenTab(tabs))!.title}>
        <Content notification={notification} />
      </div>
    </article>
  );
}
