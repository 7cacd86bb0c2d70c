// Appoints the agent of each port call: the one that has a contract for the country. It consumes a stream of changes to
// port calls and writes back, and does not hear of its own changes. ../README.md says how to run it.

import { createClient } from '@flaghoist/sdk';

/** Agents, with the countries that they have a contract for. Elsewhere, the agent stays as it is. */
const contracts = {
  'DEMO-LINDQUIST': ['BE', 'DE', 'EE', 'ES', 'FR', 'GB', 'GI', 'IE', 'IT', 'LT', 'LV', 'NL', 'NO', 'PL', 'RO'],
  'DEMO-ORIENTAL': ['AE', 'AU', 'BD', 'CN', 'IN', 'JP', 'LK', 'MY', 'SG'],
};

const flaghoist = createClient({
  url: process.env.FLAGHOIST_URL ?? 'http://127.0.0.1:8080',
  clientId: process.env.FLAGHOIST_CLIENT_ID,
  clientSecret: process.env.FLAGHOIST_CLIENT_SECRET,
});
const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stop.abort());

// Subscribed first, so that no change is missed while the port calls of today are read. At the next start, it is the
// same subscription, with all that has changed since.
const subscription = await flaghoist.ensureSubscription({
  name: 'Agency appointments',
  eventTypes: ['PortCall.C', 'PortCall.U'],
  channelInfo: { channelType: 'STREAM' },
  notSendMyChanges: true,
});
const today = flaghoist.list('PortCall', { filter: [['voyage.voyageStatus', 'IN', ['EST', 'NOM', 'OPR']]] });
for await (const { key } of today) await appoint(key);
console.log('All port calls have their agents. Waiting for changes.');

await flaghoist.stream(
  subscription.key,
  {
    on: {
      'PortCall.C': ({ resource }) => appoint(resource.key),
      'PortCall.U': ({ resource }) => appoint(resource.key),
    },
    fallback: ({ event, id }) => console.log(`Not expected: ${event} (${id})`),
  },
  { signal: stop.signal },
);

/** Decides by the port call as it is now. The notification may be older, and may come twice. */
async function appoint(key) {
  try {
    const portCall = await flaghoist.get('PortCall', key);
    const { port, agent, arrivalFixed } = portCall;
    const appointed = Object.keys(contracts).find((code) => contracts[code].includes(port.unLoCode?.slice(0, 2)));
    if (!appointed || agent?.businessPartnerCode === appointed || arrivalFixed) return;
    await flaghoist.update(portCall, { agent: appointed });
    const former = agent?.businessPartnerCode ?? 'nobody';
    console.log(`Port call ${key} at ${port.portName}: ${appointed} instead of ${former}`);
  } catch (error) {
    if (error.code === 'notFound') return; // It has been deleted meanwhile.
    if (error.code !== 'stale') throw error; // The stream sends the notification again.
    console.log(`Port call ${key} has been changed meanwhile. Once more.`);
    await appoint(key);
  }
}
