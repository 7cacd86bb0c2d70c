// `flaghoist check-config`: its output for valid settings.

import { expect, test } from 'vitest';
import { runFlaghoist } from '../support/run-compiled.ts';

test(
  'in production without a mail server, it warns that no mail is sent; not with one, and not ' +
    'in a test environment',
  async () => {
    const production = { FLAGHOIST_ENVIRONMENT: 'production', FLAGHOIST_DATA_DIR: '/srv/flaghoist' };
    const [without, withServer, inTest] = await Promise.all(
      [production, { ...production, FLAGHOIST_SMTP_URL: 'smtp://mail.example' }, {}].map((settings) =>
        runFlaghoist(['check-config'], settings),
      ),
    );
    expect(without).toMatchObject({ code: 0, stderr: '' });
    expect(without!.stdout).toMatch(
      /^FLAGHOIST_SMTP_URL is not set: .*\/srv\/flaghoist\/mail,.*\nThe settings are valid/,
    );
    for (const ending of [withServer, inTest]) expect(ending!.stdout).toMatch(/^The settings are valid/);
  },
);

test('a mistake in the model file hides nothing of what is said about settings', async () => {
  const { code, stdout, stderr } = await runFlaghoist(['check-config'], {
    FLAGHOIST_PROT: '1',
    FLAGHOIST_ENVIRONMENT: 'production',
    FLAGHOIST_MODEL_FILE: '/nowhere/model.json',
  });
  expect(code).toBe(1);
  expect(stdout).toMatch(/^FLAGHOIST_PROT is set, but is not a setting .*\nFLAGHOIST_SMTP_URL is not set: .*\n$/);
  expect(stderr).toContain('/nowhere/model.json');
});

test('check-config and the start report an unknown variable, with the setting that was probably meant', async () => {
  const misspelt = { FLAGHOIST_PROT: '1', FLAGHOIST_DATADIR: 'x', FLAGHOIST_ENTIRELY_UNLIKE: 'y' };
  const checked = await runFlaghoist(['check-config'], misspelt);
  expect(checked).toMatchObject({ code: 0, stderr: '' });
  expect(checked.stdout.split('\n').slice(0, 3).sort()).toEqual([
    'FLAGHOIST_DATADIR is set, but is not a setting of Flaghoist. Did you mean FLAGHOIST_DATA_DIR?',
    'FLAGHOIST_ENTIRELY_UNLIKE is set, but is not a setting of Flaghoist.',
    'FLAGHOIST_PROT is set, but is not a setting of Flaghoist. Did you mean FLAGHOIST_PORT?',
  ]);
  // It goes no further than to the model file, which is not there.
  const started = await runFlaghoist(['serve'], { ...misspelt, FLAGHOIST_MODEL_FILE: '/nowhere/model.json' });
  expect(started.code).toBe(1);
  const warnings = (started.stdout + started.stderr).split('\n').filter((line) => line.includes('settings.unknown'));
  expect(
    warnings.map((line) => JSON.parse(line)).map(({ level, variable, meant }) => [level, variable, meant]),
  ).toEqual(
    expect.arrayContaining([
      ['warn', 'FLAGHOIST_PROT', 'FLAGHOIST_PORT'],
      ['warn', 'FLAGHOIST_DATADIR', 'FLAGHOIST_DATA_DIR'],
      ['warn', 'FLAGHOIST_ENTIRELY_UNLIKE', undefined],
    ]),
  );
});
