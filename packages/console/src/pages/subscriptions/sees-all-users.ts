// Whether the user chooses among the subscriptions of all users. Looking as another user, an administrator sees theirs.

import { viewedUser } from '../../service/request.ts';
import { hasScope } from '../../session/session.ts';

export function seesAllUsers(): boolean {
  return hasScope('admin') && !viewedUser.value;
}
