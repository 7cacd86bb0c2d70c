// Keeps a copy of all bunker orders in an SQLite database, from which an ERP system reads them. It can be killed at any
// moment. ../README.md says how to run it.

import { createServer } from 'node:http';
import { createClient, createReceiver, toNodeHandler } from '@flaghoist/sdk';
import Database from 'libsql';

const [file = 'bunker-orders.sqlite', port = '9000'] = process.argv.slice(2);
const env = process.env;
const url = env.RECEIVER_URL ?? `http://127.0.0.1:${port}/`;

const database = new Database(file);
database.exec('PRAGMA journal_mode = WAL'); // Others can read while a change is written.
database.exec(`
  CREATE TABLE IF NOT EXISTS bunker_order (
    key INTEGER PRIMARY KEY,
    sequence INTEGER NOT NULL,
    is_deleted INTEGER NOT NULL,
    status TEXT NOT NULL,
    vessel TEXT,
    port TEXT,
    resource TEXT NOT NULL -- the whole order with its lines, as JSON
  )`);
// The row of a deleted order stays, so that an older notification that comes late does not bring the order back.
const upsert = database.prepare(`
  INSERT INTO bunker_order (key, sequence, is_deleted, status, vessel, port, resource) VALUES (?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (key) DO UPDATE SET sequence = excluded.sequence, is_deleted = excluded.is_deleted,
    status = excluded.status, vessel = excluded.vessel, port = excluded.port, resource = excluded.resource
  WHERE excluded.sequence > bunker_order.sequence`);
const find = database.prepare('SELECT sequence FROM bunker_order WHERE key = ?');

/** A duplicate, or what is older than the copy, changes nothing. A crash leaves all of the statement or nothing. */
function save(order, sequence, event) {
  const { key, bunkerOrderStatus: status, vessel, portCall } = order;
  const isDeleted = event === 'BunkerOrder.D' ? 1 : 0;
  const resource = JSON.stringify(order);
  const row = [key, sequence, isDeleted, status, vessel.vesselName, portCall.port.portName, resource];
  const { changes } = upsert.run(...row);
  console.log(changes > 0 ? `${event} ${key} ${status} (${sequence})` : `${event} ${key} is not newer (${sequence})`);
}

// The answer is 204 once the order is stored. If that fails, it is 500, and the notification comes again.
const receiver = createReceiver({
  secret: env.SIGNING_SECRET,
  on: { 'BunkerOrder.*': ({ resource, sequence, event }) => save(resource, sequence, event) },
  fallback: ({ event, id }) => console.log(`Not expected: ${event} (${id})`),
});
createServer(toNodeHandler(receiver)).listen(Number(port), '127.0.0.1');

const flaghoist = createClient({
  url: env.FLAGHOIST_URL ?? 'http://127.0.0.1:8080',
  clientId: env.FLAGHOIST_CLIENT_ID,
  clientSecret: env.FLAGHOIST_CLIENT_SECRET,
});
// If the program was off for so long that Flaghoist gave up, a new subscription takes over what was not sent.
await flaghoist.ensureSubscription({
  name: `ERP sync of bunker orders to ${url}`,
  eventTypes: ['BunkerOrder.*'],
  url,
  signingSecret: env.SIGNING_SECRET,
  retryPolicy: { attempts: 20, intervalSeconds: 30, backoff: 'EXPONENTIAL', maxIntervalSeconds: 21600 },
});
await loadOlderOrders();
console.log(`Receiving at ${url}`);

/** Orders from before the subscription. They get the sequence 0, so every notification is newer. */
async function loadOlderOrders() {
  for await (const order of flaghoist.list('BunkerOrder', { fields: '*' }))
    if (!find.get(order.key)) save(order, 0, 'loaded');
}
