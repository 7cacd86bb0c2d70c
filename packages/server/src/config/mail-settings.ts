// The settings for mail, a part of the settings table.

import { parseMailbox } from './mailbox.ts';
import { parseInteger } from './parse-setting.ts';
import { optional, row, secret } from './setting-row.ts';
import { parseSmtpUrl } from './smtp-url.ts';

export const mailSettings = {
  smtpUrl: secret(
    'FLAGHOIST_SMTP_URL',
    parseSmtpUrl,
    'The mail server, like `smtp://user:password@mail.example:587` or `smtps://mail.example`; without it each ' +
      'mail is saved as a file in the folder `mail` of the data folder. Options: docs/how-to/mail.md.',
  ),
  mailFrom: optional(
    'FLAGHOIST_MAIL_FROM',
    parseMailbox,
    'The sender of mail: an address, or `Name <address>`. Default: `flaghoist@` and the host of the base URL.',
  ),
  mailsPerMinute: row(
    'FLAGHOIST_MAILS_PER_MINUTE',
    '60',
    parseInteger(1, 100_000),
    'How many notifications per minute one process sends to one subscription by e-mail. Others wait. Test ' +
      'messages (`ping`) do not count.',
  ),
};
