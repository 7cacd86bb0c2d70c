// A connection that reads or writes whole tables as text. It may take hours and wait for a slow disk or network, so it
// has none of the time limits of other connections. What PostgreSQL prints must not depend on settings of the server.

import { isDatabaseAway } from '../database/database-away.ts';
import { type DatabaseClient, withClient } from '../database/database-client.ts';
import { connectMs, sessionSettings, setUp } from '../database/session-settings.ts';
import { OperatorError } from '../errors.ts';

const settings = {
  ...sessionSettings(0),
  idle_in_transaction_session_timeout: '0',
  tcp_user_timeout: '0',
  intervalstyle: 'postgres',
  extra_float_digits: '3',
  bytea_output: 'hex',
  row_security: 'off',
};

export function withCopyConnection<T>(
  url: string,
  purpose: 'backup' | 'restore',
  work: (client: DatabaseClient) => Promise<T>,
): Promise<T> {
  const config = {
    connectionString: url,
    application_name: `flaghoist ${purpose}`,
    connectionTimeoutMillis: connectMs,
    keepAlive: true,
    // Otherwise the system sends the first probe after two hours.
    keepAliveInitialDelayMillis: 10_000,
  };
  return withClient(config, async (client) => {
    await setUp(client, settings);
    try {
      return await work(client);
    } catch (error) {
      // It may be in the middle of a table, which would have to be read to its end first.
      client.cutOff();
      if (!isDatabaseAway(error)) throw error;
      const reason = (error as Error).message.replace(/\.$/, '');
      throw new OperatorError(`The database was lost during the ${purpose}: ${reason}. Start again.`, { cause: error });
    }
  });
}
