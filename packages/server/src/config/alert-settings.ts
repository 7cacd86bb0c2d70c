// The settings for alerts to the operator, a part of the settings table.

import { parseUrl } from '../parse-url.ts';
import { type Parse, parseSeconds } from './parse-setting.ts';
import { row, secret } from './setting-row.ts';

/** The message never repeats the text: such URLs contain tokens. */
const parseAlertUrl: Parse<string> = (text) => {
  // `new URL` silently drops tabs and line breaks.
  const url = /^[\x21-\x7e]{1,2000}$/.test(text) ? parseUrl(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.port === '0')
    throw new Error('must be an http or https URL without user and password');
  return text;
};

export const alertSettings = {
  alertUrl: secret(
    'FLAGHOIST_ALERT_URL',
    parseAlertUrl,
    'A URL that gets alerts as a JSON POST, besides the mail: an incoming webhook of Slack, Teams or Mattermost, or ' +
      'a program of your own. Any address is allowed, and so is `http`. See docs/how-to/get-alerts.md.',
  ),
  alertBacklogMs: row(
    'FLAGHOIST_ALERT_BACKLOG_SECONDS',
    '900',
    parseSeconds(0, 30 * 86_400),
    'How long a notification may wait to be sent before an alert is sent. Retries and streams do not count. 0: never.',
  ),
};
