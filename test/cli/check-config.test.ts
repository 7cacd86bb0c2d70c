// `flaghoist check-config`: what it says of settings that are usable.

import { expect, test } from 'vitest';
import { runFlaghoist } from '../support/run-compiled.ts';

test('in production, that mails reach nobody without a mail server; not with one, and not in a test environment', async () => {
  const production = { FLAGHOIST_ENVIRONMENT: 'production', FLAGHOIST_DATA_DIR: '/srv/flaghoist' };
  const [without, withServer, inTest] = await Promise.all(
    [production, { ...production, FLAGHOIST_SMTP_URL: 'smtp://mail.example' }, {}].map((settings) =>
      runFlaghoist(['check-config'], settings),
    ),
  );
  expect(without).toMatchObject({ code: 0, stderr: '' });
  expect(without!.stdout).toMatch(
    /^FLAGHOIST_SMTP_URL is not set: .*\/srv\/flaghoist\/mail,.*\nThe settings are usable/,
  );
  for (const ending of [withServer, inTest]) expect(ending!.stdout).toMatch(/^The settings are usable/);
});
