// Shows the voyages that are delayed, while it happens: a board on a terminal, one line for each delay in a pipe.
// ../README.md says how to run it.

import { createClient } from '@flaghoist/sdk';

const flaghoist = createClient({
  url: process.env.FLAGHOIST_URL ?? 'http://127.0.0.1:8080',
  clientId: process.env.FLAGHOIST_CLIENT_ID,
  clientSecret: process.env.FLAGHOIST_CLIENT_SECRET,
});
const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stop.abort());

/** By the key of the port call. */
const delays = new Map();

// The one of the last start, with the delays since then, or a new one.
const { key: subscription } = await flaghoist.ensureSubscription({
  name: 'Voyage delay board',
  eventTypes: ['PortCall.U'],
  onlyMainObject: true, // Not when something is logged at the port call.
  expression: 'eta > old.eta',
  json: { eta: '*', port: { portName: '*' }, voyage: { referenceNo: '*', vessel: { vesselName: '*' } } },
  includeChanges: true, // For the old ETA.
  channelInfo: { channelType: 'STREAM' },
});
console.log(`Waiting for delays (subscription ${subscription}).`);
await flaghoist.stream(
  subscription,
  { on: { 'PortCall.U': noteDelay }, fallback: ({ event, id }) => console.log(`Not expected: ${event} (${id})`) },
  { signal: stop.signal },
);

function noteDelay({ resource, changes, sequence }) {
  const { key, eta, port, voyage } = resource;
  const before = delays.get(key);
  if (before && sequence <= before.sequence) return; // A duplicate.
  const change = changes.find(({ attribute }) => attribute === 'eta');
  if (!change) return; // Another change of the same transaction.
  const first = before?.first ?? change.old;
  const hours = (Date.parse(`${eta}Z`) - Date.parse(`${first}Z`)) / 3_600_000;
  delays.set(key, { key, sequence, first, eta, hours, port, voyage });
  if (process.stdout.isTTY) showBoard();
  else console.log(line(delays.get(key)));
}

function line({ voyage, port, eta, hours }) {
  const { referenceNo, vessel } = voyage;
  const late = `${hours.toFixed(1)} h`;
  return columns(referenceNo, vessel?.vesselName ?? 'no vessel', port.portName, eta.replace('T', ' '), late);
}

function columns(voyage, vessel, port, eta, late) {
  return [String(voyage).padStart(6), vessel.padEnd(16), port.padEnd(18), eta.padEnd(19), late.padStart(8)].join('  ');
}

/** The longest delays, as many as the terminal has lines for. */
function showBoard() {
  const rows = [...delays.values()].sort((a, b) => b.hours - a.hours).slice(0, (process.stdout.rows || 24) - 3);
  console.clear();
  console.log(columns('Voyage', 'Vessel', 'Port', 'ETA (UTC)', 'Late'));
  for (const row of rows) console.log(line(row));
}
