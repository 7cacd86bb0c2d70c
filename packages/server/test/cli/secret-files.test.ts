// Settings that are secret come from files, too: what is in them counts, and no error shows it.

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { loadSettings } from '../../src/config/load-settings.ts';
import type { SettingRow } from '../../src/config/setting-row.ts';
import { settingsTable } from '../../src/config/settings-table.ts';

const folder = mkdtempSync(join(tmpdir(), 'flaghoist-secrets-'));
afterAll(() => rmSync(folder, { recursive: true }));

const url = 'postgres://flaghoist:s3cr3t-in-a-file@db.example/flaghoist';

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

test.each([
  ['', ''],
  ['with a line break', '\n'],
  ['as Windows writes it', '\r\n'],
])('a file has the value %s', (_, end) => {
  const { settings, unknown } = loadSettings({ DATABASE_URL_FILE: file('url', url + end) });
  expect(settings.databaseUrl).toBe(url);
  expect(unknown).toEqual([]);
  // It counts as set, and is shown nowhere.
  expect(settings.given.get('DATABASE_URL')).toBe('');
});

test('every secret setting, and no other, can come from a file', () => {
  const rows = Object.values(settingsTable) as SettingRow<unknown>[];
  const secret = rows.filter(({ isSecret }) => isSecret).map(({ variable }) => variable);
  expect(secret).toEqual(expect.arrayContaining(['DATABASE_URL', 'FLAGHOIST_ENCRYPTION_KEY', 'FLAGHOIST_SMTP_URL']));
  for (const variable of secret)
    expect(() => loadSettings({ [`${variable}_FILE`]: join(folder, 'none') })).toThrow(
      `${variable}_FILE names a file that cannot be read (ENOENT).`,
    );
  expect(loadSettings({ FLAGHOIST_PORT_FILE: file('port', '9000') }).unknown).toEqual(['FLAGHOIST_PORT_FILE']);
});

test('an empty variable counts as not set', () => {
  expect(loadSettings({ DATABASE_URL_FILE: '', DATABASE_URL: url }).settings.databaseUrl).toBe(url);
  expect(loadSettings({ DATABASE_URL_FILE: file('url', url), DATABASE_URL: '' }).settings.databaseUrl).toBe(url);
});

describe('an error says what is wrong with the file, and shows nothing of its content:', () => {
  mkdirSync(join(folder, 'sub'));
  execFileSync('mkfifo', [join(folder, 'pipe')]);
  test.each([
    ['both', { DATABASE_URL: url }, () => file('url', url), 'is set, and DATABASE_URL is too. Set one of them'],
    ['empty', {}, () => file('empty', '\n'), 'names a file that is empty'],
    ['a folder', {}, () => join(folder, 'sub'), 'names a folder'],
    ['a pipe', {}, () => join(folder, 'pipe'), 'not an ordinary file'],
    ['huge', {}, () => file('huge', 'x'.repeat(65_537)), 'names a file with more than 65536 bytes'],
  ])('%s', (_, more, path, message) => {
    expect(() => loadSettings({ ...more, DATABASE_URL_FILE: path() })).toThrow(message);
  });

  test('a wrong value', () => {
    const wrong = file('wrong', 'mysql://flaghoist:s3cr3t-in-a-file@db.example/');
    expect(() => loadSettings({ DATABASE_URL_FILE: wrong })).toThrow(/DATABASE_URL must be a URL like/);
    expect(() => loadSettings({ DATABASE_URL_FILE: wrong })).not.toThrow(/s3cr3t/);
  });

  test('the secret itself in place of its file', () => {
    expect(() => loadSettings({ DATABASE_URL_FILE: url })).toThrow(
      'DATABASE_URL_FILE names a file that cannot be read',
    );
    expect(() => loadSettings({ DATABASE_URL_FILE: url })).not.toThrow(/s3cr3t/);
  });
});
