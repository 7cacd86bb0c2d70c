// The settings of mail: what is taken, and what is said of what is not, without repeating a password.

import { describe, expect, test } from 'vitest';
import { loadSettings } from '../../src/config/load-settings.ts';
import { mailFromOf } from '../../src/config/mail-from-of.ts';
import { readSmtpUrl } from '../../src/config/smtp-url.ts';

function problemOf(environment: Record<string, string>): string {
  try {
    loadSettings(environment);
  } catch (error) {
    return (error as Error).message;
  }
  return '';
}

describe('FLAGHOIST_SMTP_URL', () => {
  test('names host, port, user and password', () => {
    expect(readSmtpUrl('smtp://fleet%40example:p%2Fw%23%25@mail.example:2525')).toMatchObject({
      host: 'mail.example',
      port: 2525,
      isSecure: false,
      login: { user: 'fleet@example', password: 'p/w#%' },
    });
    expect(readSmtpUrl('smtps://[2001:db8::17]/')).toMatchObject({ host: '2001:db8::17', port: 465, isSecure: true });
    expect(readSmtpUrl('smtp://localhost')).toMatchObject({ port: 587, login: undefined });
  });

  test('with a password, TLS is a must, unless the server is on this machine or the operator says otherwise', () => {
    const isMust = (url: string) => readSmtpUrl(url).requireTls;
    expect(isMust('smtp://u:p@mail.example')).toBe(true);
    expect(isMust('smtp://mail.example')).toBe(false);
    expect(isMust('smtp://u:p@127.0.0.1')).toBe(false);
    expect(isMust('smtp://u:p@mail.example?requireTLS=false')).toBe(false);
    expect(isMust('smtp://u:p@mail.example?ignoreTLS=true')).toBe(false);
    expect(isMust('smtp://mail.example?requireTLS=true')).toBe(true);
  });

  test.each([
    'http://fleet:S3cret-word@mail.example',
    'smtp:fleet:S3cret-word@mail.example',
    'smtp://fleet:S3cret-word@',
    'smtp://fleet:S3cret-word@mail.example:0',
    'smtp://fleet:S3cret-word@mail.example:99999',
    'smtp://fleet:S3cret-word@mail.example/path',
    'smtp://fleet:S3cret-word#@mail.example',
    'smtp://fleet:S3cret-word%@mail.example',
    'smtp://fleet:S3cret-word@mail.example\r\nx',
    'smtp://fleet:S3cret-word@mail example',
    'smtp://:S3cret-word@mail.example',
    'smtp://fleet:S3cret-word@mail.example?service=S3cret-word',
    'smtp://fleet:S3cret-word@mail.example?requireTLS=S3cret-word',
    'smtp://fleet:S3cret-word@mail.example?requireTLS=true&ignoreTLS=true',
    'smtp://fleet:S3cret-word@mail.example?__proto__=1',
  ])('%j is refused without repeating it', (url) => {
    const problem = problemOf({ FLAGHOIST_SMTP_URL: url });
    expect(problem).toContain('FLAGHOIST_SMTP_URL');
    expect(problem).not.toContain('S3cret');
  });
});

test('an option that there is not is refused with those that there are', () => {
  for (const option of ['service=gmail', '__proto__=1', 'constructor=1', 'tls.key=x'])
    expect(problemOf({ FLAGHOIST_SMTP_URL: `smtp://mail.example?${option}` })).toContain(
      'has an unknown option; known are requireTLS, ignoreTLS, name, tls.servername, tls.ca, tls.rejectUnauthorized.',
    );
});

describe('FLAGHOIST_MAIL_FROM', () => {
  const fromOf = (environment: Record<string, string>) => mailFromOf(loadSettings(environment).settings);

  test('is an address, with a name or without', () => {
    const taken = (text: string) => fromOf({ FLAGHOIST_MAIL_FROM: text });
    expect(taken('ops@fleet.example')).toEqual({ name: '', address: 'ops@fleet.example' });
    expect(taken('Fleet Ærø <ops@fleet.example>')).toEqual({ name: 'Fleet Ærø', address: 'ops@fleet.example' });
    expect(taken('"Fleet" <ops@fleet.example>')).toEqual({ name: 'Fleet', address: 'ops@fleet.example' });
  });

  test.each([
    'ops',
    'a@b, c@d',
    'a@b\r\nBcc: c@d',
    'x <a@b> <c@d>',
    'A, B <a@b>',
    'a@[127.0.0.1]',
    'ops@bücher.example',
  ])('%j is refused', (text) => {
    expect(problemOf({ FLAGHOIST_MAIL_FROM: text })).toContain('FLAGHOIST_MAIL_FROM must be one e-mail address');
  });

  test('is made from the base URL where it is not set', () => {
    const address = (baseUrl?: string) => fromOf(baseUrl === undefined ? {} : { FLAGHOIST_BASE_URL: baseUrl }).address;
    expect(address('https://fleet.example/flaghoist')).toBe('flaghoist@fleet.example');
    expect(address('http://10.0.0.3:8080')).toBe('flaghoist@localhost');
    expect(address('http://[::1]:8080')).toBe('flaghoist@localhost');
    expect(address()).toBe('flaghoist@localhost');
  });
});

test('the rate of mails is a whole number, 60 a minute where it is not set', () => {
  expect(loadSettings({}).settings.mailsPerMinute).toBe(60);
  expect(problemOf({ FLAGHOIST_MAILS_PER_MINUTE: '0' })).toContain('FLAGHOIST_MAILS_PER_MINUTE must be a whole number');
});
