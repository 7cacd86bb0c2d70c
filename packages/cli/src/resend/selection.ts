// Which notifications to send again, as `resend` and `replay` take it.

import { parseKeys, parseSince } from '../command/parse-arguments.ts';
import type { FollowOptions } from './follow-jobs.ts';

export interface SelectionOptions extends FollowOptions {
  from?: string;
  to?: string;
  notifications?: string;
}

export function readSelection({ from, to, notifications, dryRun }: SelectionOptions) {
  const now = new Date();
  return {
    ...(from !== undefined && { from: parseSince('--from', from, now) }),
    ...(to !== undefined && { to: parseSince('--to', to, now) }),
    ...(notifications !== undefined && { notifications: parseKeys('--notifications', notifications) }),
    ...(dryRun && { dryRun }),
  };
}
