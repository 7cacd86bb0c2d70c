// The settings for mail, a part of the settings table.

import { parseMailbox } from './mailbox.ts';
import { parseInteger } from './parse-setting.ts';
import { optional, row } from './setting-row.ts';
import { parseSmtpUrl } from './smtp-url.ts';

export const mailSettings = {
  smtpUrl: optional(
    'FLAGHOIST_SMTP_URL',
    parseSmtpUrl,
    'The mail server, like `smtp://user:password@mail.example:587` or `smtps://mail.example`; without it each mail is saved as a file in the folder `mail` of the data folder. docs/how-to/mail.md tells its options.',
  ),
  mailFrom: optional(
    'FLAGHOIST_MAIL_FROM',
    parseMailbox,
    'Whom mail comes from: an address, or `Name <address>`; `flaghoist@` and the host of the base URL if not set.',
  ),
  mailsPerMinute: row(
    'FLAGHOIST_MAILS_PER_MINUTE',
    '60',
    parseInteger(1, 100_000),
    'How many notifications a minute one process sends to one subscription by e-mail at most; what is more waits. Test messages (`ping`) are not counted.',
  ),
};
