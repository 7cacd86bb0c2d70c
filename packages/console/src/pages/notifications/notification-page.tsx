// One notification as a page of its own.

import { Page } from '../../elements/page.tsx';
import { Link } from '../../routing/link.tsx';
import type { PageProps } from '../../routing/page-props.ts';
import './notifications.css';
import { NotificationView } from './notification-view.tsx';

export function NotificationPage({ notification }: PageProps) {
  return (
    <Page title={`Notification ${notification}`} above={<Link to="/notifications">Notifications</Link>}>
      <NotificationView notificationKey={Number(notification)} />
    </Page>
  );
}
