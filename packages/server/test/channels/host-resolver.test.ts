// Names and their addresses: refused if any of them is forbidden, asked for at every connect, and connected to as they
// were checked. A name server that hangs holds up nobody else, and one that is away is our own fault.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createAddressPolicy } from '../../src/channels/guard/address-policy.ts';
import { checkHost } from '../../src/channels/guard/check-target.ts';
import { HostResolver } from '../../src/channels/guard/host-resolver.ts';
import { HttpChannel } from '../../src/channels/http/http-channel.ts';
import { type Question, type Reply, useNameServer } from './name-server.ts';
import { type ChannelWishes, closedPort, failure, noAddress, openChannel, startReceiver } from './receiver.ts';

const nameServer = useNameServer();
beforeEach(() => {
  nameServer.questions.length = 0;
});

/** What each name is; the others do not exist. */
function say(names: Record<string, Reply | ((question: Question) => Reply)>): void {
  nameServer.reply = (question) => {
    const reply = names[question.name] ?? 'NXDOMAIN';
    return typeof reply === 'function' ? reply(question) : reply;
  };
}

const at = (...addresses: string[]): Reply => ({ addresses });
const asking = (wishes: ChannelWishes = {}) => openChannel({ dnsServers: [nameServer.address], ...wishes });
const resolver = (hostsFile = '/nonexistent') => new HostResolver({ dnsServers: [nameServer.address], hostsFile });
const refusal = expect.stringContaining('FLAGHOIST_ALLOWED_TARGETS');

test('a name is resolved, and the receiver sees it as the host', async () => {
  const receiver = await startReceiver();
  say({ 'agent.test': at('127.0.0.1') });
  expect(await asking().post(`http://agent.test:${receiver.port}/hook`)).toMatchObject({ kind: 'delivered' });
  expect(receiver.requests[0]?.head).toContain(`host: agent.test:${receiver.port}`);
});

describe('a name with a forbidden address', () => {
  test.each<[string, Reply]>([
    ['SSD-01: that is private', at('10.0.0.5')],
    ['SSD-02: among public ones', at('8.8.8.8', '127.0.0.1')],
    ['SSD-02: of the other family', at('8.8.8.8', '::1')],
    ['SSD-02: mapped into IPv6', at('8.8.8.8', '::ffff:7f00:1')],
    ['SSD-08: behind an alias', { addresses: ['10.0.0.5'], aliases: ['internal.test'] }],
    [
      'SSD-08: behind twenty aliases',
      { addresses: ['127.0.0.1'], aliases: Array.from({ length: 20 }, (_, i) => `a${i}.test`) },
    ],
  ])('%s is refused at save, and is no address at delivery', async (_, reply) => {
    const canary = await startReceiver();
    say({ 'rebound.test': reply });
    const url = `http://rebound.test:${canary.port}/`;
    expect(await checkHost(url, { policy: createAddressPolicy([]), resolver: resolver() })).toEqual(refusal);
    expect(await asking({ allowedTargets: [] }).post(url)).toEqual(noAddress);
    expect(canary.accepted).toBe(0);
  });
});

test('SSD-08: aliases in a circle are a name without an address', async () => {
  say({ 'circle.test': { addresses: [], aliases: ['b.test', 'circle.test', 'b.test'] } });
  expect(await asking().post('http://circle.test/')).toEqual(noAddress);
});

test('SSD-04: a name that was public at save and is not at delivery is not connected to', async () => {
  const canary = await startReceiver();
  say({ 'rebound.example': ({ count }) => at(count === 1 ? '8.8.8.8' : '127.0.0.1') });
  const url = `http://rebound.example:${canary.port}/`;
  expect(await checkHost(url, { policy: createAddressPolicy([]), resolver: resolver() })).toBeUndefined();
  expect(await asking({ allowedTargets: [] }).post(url)).toEqual(noAddress);
  expect(canary.accepted).toBe(0);
});

test('SSD-05: of 1,000 deliveries to a name that alternates with ' +
  'each question, none reaches the forbidden address', async () => {
  const closing = 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n';
  const good = await startReceiver({ host: '127.0.0.2', onRequest: (socket) => socket.end(closing) });
  const canary = await startReceiver({ host: '127.0.0.3' });
  let asked = 0;
  say({ 'rebound.test': ({ type }) => (type === 'A' ? at(asked++ % 2 === 0 ? '127.0.0.2' : '127.0.0.3') : at()) });
  const channel = asking({ allowedTargets: ['127.0.0.2/32'] });
  const kinds = { delivered: 0, failed: 0, ownFault: 0 };
  const ports = [good.port, canary.port];
  let left = 1_000;
  const sendAll = async () => {
    while (left-- > 0) kinds[(await channel.post(`http://rebound.test:${ports[(left >> 1) % 2]}/`)).kind]++;
  };
  await Promise.all(Array.from({ length: 20 }, sendAll));
  expect(canary.accepted).toBe(0);
  expect(good.accepted).toBeGreaterThan(100);
  expect(kinds).toEqual({ delivered: good.accepted, failed: 1_000 - good.accepted, ownFault: 0 });
}, 60_000);

test(
  'SSD-07: an open connection is used on; a new one is not ' + 'opened to an address that has become forbidden',
  async () => {
    const good = await startReceiver({ host: '127.0.0.2' });
    say({ 'rebound.test': ({ count }) => at(count === 1 ? '127.0.0.2' : '127.0.0.1') });
    const channel = asking({ allowedTargets: ['127.0.0.2/32'] });
    const url = `http://rebound.test:${good.port}/`;
    expect((await channel.post(url)).kind).toBe('delivered');
    expect((await channel.post(url)).kind).toBe('delivered');
    const results = await Promise.all([channel.post(url), channel.post(url)]);
    expect(results.map(({ kind }) => kind).sort()).toEqual(['delivered', 'failed']);
    expect(good.accepted).toBe(1);
  },
);

test('SSD-10: a name that does not exist can be saved, and is checked when it does', async () => {
  const receiver = await startReceiver();
  say({});
  const parts = { policy: createAddressPolicy([]), resolver: resolver() };
  const url = `http://later.example:${receiver.port}/`;
  expect(await checkHost(url, parts)).toBeUndefined();
  say({ 'later.example': at('127.0.0.1') });
  expect(await checkHost(url, parts)).toEqual(refusal);
  expect(await asking({ allowedTargets: [] }).post(url)).toEqual(noAddress);
});

test('SSD-16: one allowed address opens no other, whatever a name says', async () => {
  const [good, canary] = await Promise.all(['127.0.0.120', '127.0.0.121'].map((host) => startReceiver({ host })));
  say({ 'good.test': at('127.0.0.120'), 'bad.test': at('127.0.0.121'), 'both.test': at('127.0.0.120', '127.0.0.121') });
  const channel = asking({ allowedTargets: ['127.0.0.120/32'] });
  expect((await channel.post(`http://good.test:${good!.port}/`)).kind).toBe('delivered');
  for (const name of ['bad.test', 'both.test', '127.0.0.121'])
    expect(await channel.post(`http://${name}:${canary!.port}/`)).toEqual(noAddress);
  expect(canary!.accepted).toBe(0);
});

describe('FLT-14', () => {
  test.each<[string, Reply]>([
    ['does not exist', 'NXDOMAIN'],
    ['is not answered for', 'SERVFAIL'],
    ['has no address', at()],
  ])('a name that %s is a failure of the receiver', async (_, reply) => {
    say({ 'gone.test': reply });
    expect(await asking().post('http://gone.test/')).toEqual(noAddress);
  });

  test('a name whose own servers hang is a failure of the receiver within 5 s, as long as ours answer', async () => {
    say({ 'hanging.test': 'silence' });
    expect(await asking({ timeoutMs: 7_000 }).post('http://hanging.test/')).toEqual(noAddress);
  });

  test('200 names that hang do not delay another', async () => {
    const receiver = await startReceiver();
    nameServer.reply = ({ name }) => (name === 'agent.test' ? at('127.0.0.1') : 'silence');
    const channel = asking({ timeoutMs: 2_500 });
    const hanging = Array.from({ length: 200 }, (_, i) => channel.post(`http://h${i}.test/`));
    // Some of so many questions at once are lost on the way, and asked again.
    await vi.waitFor(() => expect(nameServer.questions.length).toBeGreaterThan(200), { interval: 5 });
    const first = await Promise.race([...hanging, channel.post(`http://agent.test:${receiver.port}/`)]);
    expect(first.kind).toBe('delivered');
    expect(new Set((await Promise.all(hanging)).map((result) => 'reason' in result && result.reason))).toEqual(
      new Set(['No response within 2.5 s.']),
    );
  });

  test('a name server that does not answer for IPv6 costs a moment only', async () => {
    const receiver = await startReceiver();
    say({ 'agent.test': ({ type }) => (type === 'AAAA' ? 'silence' : at('127.0.0.1')) });
    expect(await asking({ timeoutMs: 1_000 }).post(`http://agent.test:${receiver.port}/`)).toMatchObject({
      kind: 'delivered',
    });
  });

  test('no name server at all is a fault on our side', async () => {
    const channel = openChannel({ dnsServers: [`127.0.0.1:${await closedPort()}`] });
    expect(await channel.post('http://agent.test/')).toMatchObject({ kind: 'ownFault', reason: /name server/ });
  });

  test('a name server that answers nothing at all is a fault on our side', async () => {
    nameServer.reply = () => 'silence';
    expect(await asking({ timeoutMs: 9_000 }).post('http://agent.test/')).toMatchObject({ kind: 'ownFault' });
  });

  test('a name server that refuses us is a fault on our side', async () => {
    nameServer.reply = () => 'REFUSED';
    expect(await asking().post('http://agent.test/')).toMatchObject({ kind: 'ownFault' });
  });

  test('the check at save does not wait for a name server that hangs', async () => {
    nameServer.reply = () => 'silence';
    const parts = { policy: createAddressPolicy([]), resolver: resolver() };
    const asked = parts.resolver.resolve('agent.example').then(() => 'the name server was waited for');
    expect(await Promise.race([checkHost('https://agent.example/', parts), asked])).toBeUndefined();
  });
});

test('localhost is never asked of a name server', async () => {
  nameServer.reply = () => at('8.8.8.8');
  for (const name of ['localhost', 'LOCALHOST.', 'receiver.localhost'])
    expect(await resolver().resolve(name)).toEqual({ kind: 'addresses', addresses: ['127.0.0.1', '::1'] });
  expect(nameServer.questions).toEqual([]);
});

test('the hosts file of the machine counts, and is checked like anything else', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'hosts-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const hostsFile = join(folder, 'hosts');
  await writeFile(
    hostsFile,
    '127.0.0.1 localhost\n127.0.0.2\tNeighbour neighbour.local # a friend\n# 8.8.8.8 agent.test\n10.0.0.5 db\n',
  );
  say({});
  for (const name of ['neighbour', 'Neighbour.', 'neighbour.local'])
    expect(await resolver(hostsFile).resolve(name)).toEqual({ kind: 'addresses', addresses: ['127.0.0.2'] });
  expect(await resolver(hostsFile).resolve('agent.test')).toEqual({ kind: 'unknown' });
  expect(await asking({ hostsFile }).post('http://db/')).toEqual(noAddress);
});

test('a second address is tried where the first is dead', async () => {
  const receiver = await startReceiver({ host: '127.0.0.7' });
  say({ 'agent.test': at('127.0.0.6', '127.0.0.7') });
  expect(await asking().post(`http://agent.test:${receiver.port}/`)).toMatchObject({ kind: 'delivered' });
});

test('where all addresses are dead, what is wrong with the first one is told', async () => {
  say({ 'agent.test': at('127.0.0.6', '224.0.0.1') });
  const channel = asking({ allowedTargets: ['127.0.0.0/8', '224.0.0.0/4'] });
  const url = `http://agent.test:${await closedPort()}/`;
  expect(await channel.post(url)).toEqual(failure('The connection was refused.'));
});

test('TRAP-1: the address of a connection that stands is checked once more, before anything is sent', async () => {
  const receiver = await startReceiver();
  const asked: string[] = [];
  const isAllowed = (address: string) => asked.push(address) === 1;
  const channel = new HttpChannel({
    policy: { isAllowed, isListed: () => false },
    resolver: resolver(),
    timeoutMs: 2_000,
    userAgent: 'Flaghoist/0.0.0',
    connectionsMax: 1,
  });
  onTestFinished(() => channel.close(0));
  const result = await new Promise((resolve) => channel.send({ url: receiver.url, headers: [], body: '{}' }, resolve));
  expect(result).toEqual(noAddress);
  expect(asked).toEqual(['127.0.0.1', '127.0.0.1']);
  expect(receiver.requests).toEqual([]);
});
