// DATABASE_URL with one host or several, as libpq writes it.

import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { listDatabaseHosts, parseDatabaseUrl } from '../../src/config/database-url.ts';

/** Text → the hosts, as `name url`, and what they must allow. */
const accepted: [string, string[], string][] = [
  ['postgres://u:p@one/db', ['one:5432 postgres://u:p@one/db'], 'any'],
  ['postgresql://u:p@one:6000/db?sslmode=require', ['one:6000 postgresql://u:p@one:6000/db?sslmode=require'], 'any'],
  [
    'postgres://u:p@one/db?target_session_attrs=read-write',
    ['one:5432 postgres://u:p@one/db?target_session_attrs=read-write'],
    'read-write',
  ],
  ['postgres://u@/db?host=/run/postgresql', ['/run/postgresql:5432 postgres://u@/db?host=/run/postgresql'], 'any'],
  [
    'postgres://u:p@one:5432,two:5433/db',
    ['one:5432 postgres://u:p@one:5432/db', 'two:5433 postgres://u:p@two:5433/db'],
    'read-write',
  ],
  [
    'postgres://u:p@one,two:5433,three/db?target_session_attrs=primary&sslmode=verify-full',
    [
      'one:5432 postgres://u:p@one:5432/db?sslmode=verify-full',
      'two:5433 postgres://u:p@two:5433/db?sslmode=verify-full',
      'three:5432 postgres://u:p@three:5432/db?sslmode=verify-full',
    ],
    'primary',
  ],
  [
    'postgres://u:p@one,two/db?port=6000&target_session_attrs=any',
    ['one:6000 postgres://u:p@one:6000/db', 'two:6000 postgres://u:p@two:6000/db'],
    'any',
  ],
  [
    'postgres://u:p@/db?host=one,two&port=6000,6001',
    ['one:6000 postgres://u:p@one:6000/db', 'two:6001 postgres://u:p@two:6001/db'],
    'read-write',
  ],
  [
    'postgres://u:p@[fd00::1]:6000,[::1]/db',
    ['[fd00::1]:6000 postgres://u:p@[fd00::1]:6000/db', '[::1]:5432 postgres://u:p@[::1]:5432/db'],
    'read-write',
  ],
  [
    'postgres://u:p%2C%40%3A%2F@one,two/db',
    ['one:5432 postgres://u:p%2C%40%3A%2F@one:5432/db', 'two:5432 postgres://u:p%2C%40%3A%2F@two:5432/db'],
    'read-write',
  ],
  [
    'postgres://u:a,b@one,two/db',
    ['one:5432 postgres://u:a,b@one:5432/db', 'two:5432 postgres://u:a,b@two:5432/db'],
    'read-write',
  ],
  [
    'postgres://u@%2Frun%2Fone,two/db',
    ['/run/one:5432 postgres://u@%2Frun%2Fone:5432/db', 'two:5432 postgres://u@two:5432/db'],
    'read-write',
  ],
];

test.each(accepted)('%s', (text, hosts, needs) => {
  const listed = listDatabaseHosts(text);
  expect(listed.hosts.map(({ name, url }) => `${name} ${url}`)).toEqual(hosts);
  expect(listed.needs).toBe(needs);
  expect(parseDatabaseUrl(text)).toBe(text);
});

test('the driver reads the URL of each host as it was meant', () => {
  const { hosts } = listDatabaseHosts('postgres://u:p%2C%40%2F@%2Frun%2Fone:6000,[::1],two:6001/db');
  const read = hosts.map(({ url }) => {
    const { host, port, user, password, database } = new pg.Client({ connectionString: url });
    return { host, port, user, password, database };
  });
  const common = { user: 'u', password: 'p,@/', database: 'db' };
  expect(read).toEqual([
    { ...common, host: '/run/one', port: 6000 },
    { ...common, host: '::1', port: 5432 },
    { ...common, host: 'two', port: 6001 },
  ]);
});

describe('is rejected without a word of the password', () => {
  test.each([
    ['postgres://u:s3cr3t@one,two/db?target_session_attrs=standby', 'target_session_attrs=any, read-write, primary'],
    ['postgres://u:s3cr3t@one/db?target_session_attrs=prefer-standby', 'because Flaghoist must write'],
    ['postgres://u:s3cr3t@one,,two/db', 'separated by commas'],
    ['postgres://u:s3cr3t@one,two:99999/db', 'ports from 1 to 65535'],
    ['postgres://u:s3cr3t@one,two:x/db', 'ports from 1 to 65535'],
    ['postgres://u:s3cr3t@one,two/db?port=1,2,3', 'one port for all hosts, or a port for each'],
    ['postgres://u:s3cr3t/x@one,two/db', 'percent-encoded'],
    ['mysql://u:s3cr3t@one/db', 'must be a URL like postgres://'],
    ['one,two', 'must be a URL like postgres://'],
  ])('%s', (text, reason) => {
    const rejected = () => parseDatabaseUrl(text);
    expect(rejected).toThrow(reason);
    expect(rejected).not.toThrow(/s3cr3t/);
  });
});
