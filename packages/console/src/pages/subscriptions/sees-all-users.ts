// Whether the user chooses among the subscriptions of all users. Looking as another user, an administrator sees theirs.

import { hasScope } from '../../session/session.ts';
import { viewedUser } from '../../session/viewed-user.ts';

export function seesAllUsers(): boolean {
  return hasScope('admin') && !viewedUser.value;
}
