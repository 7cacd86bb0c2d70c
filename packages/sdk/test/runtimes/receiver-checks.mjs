// Verification and routing of the receiver, checked without a test runner, so that every runtime can run this file.
//
//   node packages/sdk/test/runtimes/receiver-checks.mjs

import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import process from 'node:process';
import { createReceiver, toFetchHandler } from '../../dist/receiver.js';

const secretOf = (byte, length = 32) => `whsec_${btoa(String.fromCharCode(...new Uint8Array(length).fill(byte)))}`;
const [secret, oldSecret, otherSecret] = [secretOf(7), secretOf(8, 24), secretOf(9, 64)];
const url = 'https://flaghoist.example.com/base/ws/rest';

const signatureOf = (id, timestamp, body, by) =>
  `v1,${createHmac('sha256', Buffer.from(by.slice(6), 'base64'))
    .update(`${id}.${timestamp}.`)
    .update(body)
    .digest('base64')}`;

function signed(body, { id = '52011-1100', ageSeconds = 0, by = [secret], headers = {} } = {}) {
  const timestamp = String(Math.floor(Date.now() / 1000) - ageSeconds);
  return {
    'Content-Type': 'application/json',
    'Webhook-Id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': by.map((one) => signatureOf(id, timestamp, body, one)).join(' '),
    'flaghoist-event': 'BunkerOrder.U.1042',
    'flaghoist-sequence': '52011',
    'flaghoist-subscription': '1009',
    'flaghoist-attempt': '2',
    ...headers,
  };
}

const objectOf = (type, key) => ({ key, self: `${url}/${type}/${key}`, comments: 'Kærligt Århus' });

function envelope(changed, resource, { wireNames = 'service', subscribed = 'BunkerOrder.U', more = {} } = {}) {
  const [objectType, eventType, key] = changed.split('.');
  return JSON.stringify({
    id: '52011-1100',
    eventTime: '2026-11-15T12:58:39',
    objectType,
    [`${wireNames}Object`]: Number(key),
    eventType,
    [`${wireNames}ObjectSelf`]: `${url}/${objectType}/${key}`,
    subscription: { key: 1009, self: `${url}/WebhookSubscription/1009`, eventType: subscribed },
    resource,
    ...more,
    sequence: 52011,
    occurredAt: '2026-11-15T12:58:39.665000Z',
  });
}

const order = objectOf('BunkerOrder', 1042);
const body = envelope('BunkerOrder.U.1042', order);

/** What a receiver answered, and what its handlers got. */
async function receive(delivered, options = {}) {
  const got = [];
  const note = (name) => (notification) => void got.push([name, notification]);
  const receiver = createReceiver({
    secret,
    fallback: note('fallback'),
    onPing: note('ping'),
    onError: (error) => got.push(['error', error]),
    ...options,
    on: Object.fromEntries((options.on ?? []).map((name) => [name, note(name)])),
  });
  return { ...(await receiver.handle(delivered)), got };
}

const checks = {
  async 'a signed delivery reaches its handler, with all that it says'() {
    const { status, got } = await receive({ headers: signed(body), body }, { on: ['BunkerOrder.U'] });
    assert.equal(status, 204);
    const [[name, { headers, ...notification }]] = got;
    assert.equal(name, 'BunkerOrder.U');
    assert.deepEqual(notification, {
      id: '52011-1100',
      sequence: 52011,
      occurredAt: '2026-11-15T12:58:39.665000Z',
      attempt: 2,
      replay: undefined,
      subscription: { key: 1009, self: `${url}/WebhookSubscription/1009`, eventType: 'BunkerOrder.U' },
      body,
      isTest: false,
      event: 'BunkerOrder.U',
      objectType: 'BunkerOrder',
      operation: 'U',
      objectKey: 1042,
      resource: order,
      changes: undefined,
    });
    assert.equal(headers['webhook-id'], '52011-1100');
  },
  async 'the body may be bytes, and the headers a Headers'() {
    const bytes = new TextEncoder().encode(body);
    for (const given of [bytes, bytes.buffer, Buffer.from(body), body])
      assert.equal((await receive({ headers: new Headers(signed(body)), body: given })).status, 204);
  },
  async 'credentials do not become part of a notification'() {
    const headers = signed(body, { headers: { authorization: 'Basic c2VjcmV0', cookie: 'a=b' } });
    const { got } = await receive({ headers, body });
    assert.ok(!JSON.stringify(got).includes('c2VjcmV0'));
  },
  async 'a signature that is wrong, missing, or of another secret or body is a 401'() {
    const right = signed(body);
    const wrongs = [
      [{ ...right, 'webhook-signature': 'v1,AAAA' }, body],
      [{ ...right, 'webhook-signature': right['webhook-signature'].replace('v1,', 'v1a,') }, body],
      [{ ...right, 'webhook-signature': right['webhook-signature'].replace('v1,', '') }, body],
      [{ ...right, 'webhook-signature': '' }, body],
      [{ ...right, 'webhook-signature': undefined }, body],
      [{ ...right, 'Webhook-Id': undefined }, body],
      [{ ...right, 'Webhook-Id': '52011-1101' }, body],
      [{ ...right, 'webhook-timestamp': String(Number(right['webhook-timestamp']) + 1) }, body],
      [{ ...right, 'webhook-timestamp': 'now' }, body],
      [{ ...right, 'webhook-timestamp': '1e9' }, body],
      [{ ...right, 'webhook-timestamp': undefined }, body],
      [signed(body, { by: [otherSecret] }), body],
      [right, body.replace('1042', '1043')],
      [right, `${body} `],
      [right, ''],
      [{}, body],
    ];
    for (const [headers, sent] of wrongs) {
      const { status, got, body: reason } = await receive({ headers, body: sent });
      assert.deepEqual([status, got], [401, []]);
      assert.match(reason, /\.$/);
    }
  },
  async 'a message that is too old or too far ahead is a 401, even if it is signed'() {
    for (const ageSeconds of [302, -302, 10_000_000]) {
      const { status, got } = await receive({ headers: signed(body, { ageSeconds }), body });
      assert.deepEqual([status, got], [401, []]);
    }
    for (const ageSeconds of [295, -295])
      assert.equal((await receive({ headers: signed(body, { ageSeconds }), body })).status, 204);
    const headers = signed(body, { ageSeconds: 20 });
    assert.equal((await receive({ headers, body }, { toleranceSeconds: 10 })).status, 401);
  },
  async 'while a secret is rotated, one signature of several and one secret of several are enough'() {
    const both = signed(body, { by: [otherSecret, oldSecret] });
    assert.equal((await receive({ headers: both, body }, { secret: oldSecret })).status, 204);
    assert.equal((await receive({ headers: both, body }, { secret: [secret, otherSecret] })).status, 204);
    assert.equal((await receive({ headers: both, body }, { secret })).status, 401);
    const unknown = { ...both, 'webhook-signature': `v1a,abc v2,xyz ${both['webhook-signature']}` };
    assert.equal((await receive({ headers: unknown, body }, { secret: otherSecret })).status, 204);
  },
  async 'a secret that is malformed is an error at once, which does not show it'() {
    const malformed = [
      '',
      'hunter2hunter2',
      'whsec_',
      'whsec_!!!!',
      'whsec_c2hvcnQ=',
      secretOf(1, 65),
      'whsec_YWJj=',
      undefined,
    ];
    for (const wrong of [...malformed, [secret, 'hunter2'], []])
      assert.throws(
        () => createReceiver({ secret: wrong, fallback() {} }),
        (error) => error instanceof TypeError && error.message.includes('secret') && !error.message.includes('hunter2'),
      );
    createReceiver({ secret: `${secret}\n`, fallback() {} });
  },
  async 'a mistake in the routes is an error at once'() {
    for (const on of [
      { 'BunkerOrder.update': () => {} },
      { BunkerOrder: () => {} },
      { 'BunkerOrder.U': 'no function' },
    ])
      assert.throws(() => createReceiver({ secret, on, fallback() {} }), TypeError);
    assert.throws(() => createReceiver({ secret, on: {} }), /fallback/);
    assert.throws(() => createReceiver({ secret, fallback() {}, toleranceSeconds: 0 }), /toleranceSeconds/);
  },
  async 'a body that was parsed already is a 500 that says what to do'() {
    for (const parsed of [JSON.parse(body), undefined, null, 1, []]) {
      const { status, got, body: reason } = await receive({ headers: signed(body), body: parsed });
      assert.equal(status, 500);
      assert.match(reason, /express\.raw/);
      assert.match(got[0][1].message, /express\.raw/);
    }
  },
  async 'a body that is not UTF-8 is a 400 if it is signed, and a 401 if it is not'() {
    const bytes = Uint8Array.from([0x7b, 0xff, 0xfe, 0x7d]);
    assert.equal((await receive({ headers: signed(bytes), body: bytes })).status, 400);
    assert.equal((await receive({ headers: signed('{}'), body: bytes })).status, 401);
  },
  async 'a body of 20 MB is verified'() {
    const large = envelope('BunkerOrder.U.1042', { ...order, comments: 'æ'.repeat(10_000_000) });
    assert.equal((await receive({ headers: signed(large), body: large })).status, 204);
  },
  async 'the event is that of the resource: what happens in its hierarchy is an update'() {
    const voyage = objectOf('Voyage', 7);
    const table = [
      ['BunkerOrder.U.1042', order, 'BunkerOrder.U'],
      ['BunkerOrder.C.1042', order, 'BunkerOrder.C'],
      ['BunkerOrder.D.1042', order, 'BunkerOrder.D'],
      ['PortCall.U.55', order, 'BunkerOrder.U'],
      ['PortCall.D.55', voyage, 'Voyage.U'],
      ['PortCall.C.55', voyage, 'Voyage.U'],
      // The same type, but another object.
      ['Voyage.D.8', voyage, 'Voyage.U'],
      // The same key, but another type.
      ['PortCall.D.7', voyage, 'Voyage.U'],
    ];
    for (const [changed, resource, event] of table)
      for (const wireNames of ['service', 'dataloy']) {
        const text = envelope(changed, resource, { wireNames });
        const { got } = await receive({ headers: signed(text), body: text }, { on: [event] });
        const [[name, { objectType, operation, objectKey, ...notification }]] = got;
        assert.deepEqual([name, notification.event], [event, event]);
        assert.equal(`${objectType}.${operation}.${objectKey}`, changed);
        assert.equal(notification.resource.key, resource.key);
      }
  },
  async 'a resource that does not say what it is has the type of the subscription'() {
    for (const [resource, subscribed, event] of [
      [null, 'Voyage.U', 'Voyage.U'],
      [{ comments: 'x' }, 'Voyage.U.7', 'Voyage.U'],
      [null, '*.U', 'PortCall.D'],
      [null, null, 'PortCall.D'],
    ]) {
      const text = envelope('PortCall.D.55', resource, { subscribed });
      const { got } = await receive({ headers: signed(text), body: text });
      assert.equal(got[0][1].event, event);
    }
  },
  async 'a raw object is routed by what it is and by the header'() {
    const text = JSON.stringify(order);
    for (const [header, event] of [
      ['BunkerOrder.D.1042', 'BunkerOrder.D'],
      ['PortCall.D.55', 'BunkerOrder.U'],
    ]) {
      const headers = signed(text, { headers: { 'flaghoist-event': header, 'flaghoist-replay': '77' } });
      const { got } = await receive({ headers, body: text });
      const { event: routed, resource, sequence, occurredAt, subscription, replay } = got[0][1];
      assert.deepEqual([routed, resource], [event, order]);
      assert.deepEqual([sequence, occurredAt, subscription, replay], [52011, undefined, { key: 1009 }, 77]);
    }
  },
  async 'a body of a stylesheet or a script is routed by the header, without a resource'() {
    for (const text of ['<order>1042</order>', '', 'null', '[]', '"text"', '{"subject":"Late"}', '{']) {
      const headers = signed(text, { headers: { 'flaghoist-event': 'PortCall.U.55' } });
      const { status, got } = await receive({ headers, body: text }, { on: ['PortCall.U'] });
      assert.equal(status, 204);
      const [[name, { resource, body: sent, objectKey }]] = got;
      assert.deepEqual([name, resource, sent, objectKey], ['PortCall.U', undefined, text, 55]);
    }
  },
  async 'what does not say what has changed is a 400'() {
    for (const header of [undefined, '', 'PortCall', 'PortCall.X.5', 'ping']) {
      const headers = signed('text', { headers: { 'flaghoist-event': header } });
      const { status, got } = await receive({ headers, body: 'text' });
      assert.deepEqual([status, got], [400, []]);
    }
  },
  async 'an exact event type comes before wildcards, and the fallback gets the rest'() {
    const names = ['BunkerOrder.U', 'BunkerOrder.*', '*.U', '*.*'];
    for (let first = 0; first <= names.length; first += 1) {
      const { got } = await receive({ headers: signed(body), body }, { on: names.slice(first).reverse() });
      assert.equal(got[0][0], names[first] ?? 'fallback');
    }
    const { got } = await receive({ headers: signed(body), body }, { on: ['BunkerOrder.C', 'Voyage.*', '*.D'] });
    assert.equal(got[0][0], 'fallback');
  },
  async 'a ping goes to onPing, and is no change'() {
    const text = JSON.stringify({ id: 'ping-1', isTest: true, subscription: { key: 1009 }, sequence: 0 });
    const headers = signed(text, { id: 'ping-1009-1794747519665', headers: { 'flaghoist-event': 'ping' } });
    const { status, got } = await receive({ headers, body: text }, { on: ['*.*'] });
    assert.deepEqual([status, got[0][0], got[0][1].isTest], [204, 'ping', true]);
    const ignored = await receive({ headers, body: text }, { onPing: undefined });
    assert.deepEqual([ignored.status, ignored.got], [204, []]);
    // An object may well have a member of this name.
    const posed = envelope('BunkerOrder.U.1042', order, { more: { isTest: true } });
    assert.equal((await receive({ headers: signed(posed), body: posed })).got[0][0], 'fallback');
  },
  async 'changes are passed on'() {
    const changes = [{ objectType: 'BunkerOrder', objectKey: 1042, attribute: 'comments', old: null, new: 'x' }];
    const text = envelope('BunkerOrder.U.1042', order, { more: { changes } });
    const { got } = await receive({ headers: signed(text), body: text });
    assert.deepEqual(got[0][1].changes, changes);
  },
  async 'a handler that throws is a 500 that does not show the error'() {
    for (const fallback of [
      () => {
        throw new Error('hunter2');
      },
      () => Promise.reject(new Error('hunter2')),
    ]) {
      const { status, body: reason, got } = await receive({ headers: signed(body), body }, { fallback });
      assert.equal(status, 500);
      assert.ok(!reason.includes('hunter2'));
      assert.equal(got[0][1].message, 'hunter2');
    }
    const onError = () => {
      throw new Error('onError fails as well');
    };
    const fallback = () => {
      throw new Error('hunter2');
    };
    assert.equal((await receive({ headers: signed(body), body }, { fallback, onError })).status, 500);
  },
  async 'a duplicate is answered 204 and skipped; what failed is processed again'() {
    const seen = new Set();
    let calls = 0;
    const fallback = () => {
      calls += 1;
      if (calls === 1) throw new Error('The first one fails.');
    };
    const options = { secret, seen, fallback, onError() {} };
    const receiver = createReceiver(options);
    const statuses = [];
    for (let time = 0; time < 3; time += 1)
      statuses.push((await receiver.handle({ headers: signed(body), body })).status);
    assert.deepEqual([statuses, calls, [...seen]], [[500, 204, 204], 2, ['52011-1100']]);
    // As after a restart, with a table instead of a set.
    const again = createReceiver({ ...options, seen: { has: async (id) => seen.has(id), add: async () => {} } });
    assert.deepEqual([(await again.handle({ headers: signed(body), body })).status, calls], [204, 2]);
  },
  async 'a duplicate that comes while the first one is running waits for it, and gets the same answer'() {
    for (const isFailing of [false, true]) {
      let calls = 0;
      let end;
      const ended = new Promise((resolve, reject) => {
        end = () => (isFailing ? reject(new Error('It failed after all.')) : resolve());
      });
      // On a busy machine it may end before a handler has it.
      ended.catch(() => {});
      const fallback = () => {
        calls += 1;
        return ended;
      };
      const receiver = createReceiver({ secret, fallback, onError() {}, seen: new Set() });
      const answers = [1, 2, 3].map(() => receiver.handle({ headers: signed(body), body }));
      await new Promise((resolve) => {
        setTimeout(resolve, 5);
      });
      end();
      const status = isFailing ? 500 : 204;
      assert.deepEqual(
        (await Promise.all(answers)).map((answer) => answer.status),
        [status, status, status],
      );
      if (!isFailing) assert.equal(calls, 1);
    }
  },
  async 'a Request becomes a Response'() {
    const got = [];
    const handle = toFetchHandler(createReceiver({ secret, fallback: ({ id }) => got.push(id) }), {
      bodyBytesMax: 5_000,
    });
    const request = (init) =>
      new Request('https://agent.example/hook', { method: 'POST', headers: signed(body), body, ...init });
    const response = await handle(request());
    assert.deepEqual([response.status, await response.text(), got], [204, '', ['52011-1100']]);
    const wrong = await handle(request({ body: `${body} ` }));
    assert.deepEqual([wrong.status, await wrong.text()], [401, 'The signature does not match the secret.']);
    const large = await handle(request({ body: 'x'.repeat(5_001) }));
    assert.equal(large.status, 413);
    const empty = await handle(request({ body: undefined }));
    assert.equal(empty.status, 401);
    const got405 = await handle(new Request('https://agent.example/hook'));
    assert.deepEqual([got405.status, got405.headers.get('allow')], [405, 'POST']);
  },
  async 'a Request whose body was read is a 500 that says what to do'() {
    const handle = toFetchHandler(createReceiver({ secret, fallback() {}, onError() {} }));
    const request = new Request('https://agent.example/hook', { method: 'POST', headers: signed(body), body });
    await request.json();
    const response = await handle(request);
    assert.equal(response.status, 500);
    assert.match(await response.text(), /read or parsed before/);
  },
};

for (const [name, check] of Object.entries(checks)) {
  try {
    await check();
  } catch (error) {
    throw new Error(`${name}: ${error.message}`, { cause: error });
  }
}
process.stdout.write(`${Object.keys(checks).length} checks passed.\n`);
