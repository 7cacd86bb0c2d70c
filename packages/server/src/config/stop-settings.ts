// The settings of a shutdown, a part of the settings table.

import { parseSeconds } from './parse-setting.ts';
import { row } from './setting-row.ts';

export const stopSettings = {
  drainMs: row(
    'FLAGHOIST_DRAIN_SECONDS',
    '0',
    parseSeconds(0, 600),
    'How long a process with the role `api` goes on serving requests after the signal to stop, while `/health/ready` ' +
      'answers 503. A load balancer notices this and sends its requests to other processes, so that none fails. The ' +
      'time of `FLAGHOIST_STOP_TIMEOUT_SECONDS` begins afterwards.',
  ),
  stopTimeoutMs: row(
    'FLAGHOIST_STOP_TIMEOUT_SECONDS',
    '20',
    parseSeconds(0, 600),
    'How long a shutdown waits for requests in progress, and for notifications and mail being sent.',
  ),
};
