// A notification beside the list.

import { Link } from '../../routing/link.tsx';
import { NotificationView } from './notification-view.tsx';

export function NotificationPanel({ notificationKey, onClose }: { notificationKey: number; onClose(): void }) {
  return (
    <aside class="panel" aria-label={`Notification ${notificationKey}`}>
      <div class="panel-bar">
        <Link to={`/notifications/${notificationKey}`}>Open as page</Link>
        <button type="button" class="button quiet" onClick={onClose}>
          Close
        </button>
      </div>
      <NotificationView notificationKey={notificationKey} />
    </aside>
  );
}
