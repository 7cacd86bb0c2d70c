// The types of answers, selections, bodies, filters and actions. `npm run types` checks them; at run time there is
// nothing to check.

import { expectTypeOf, test } from 'vitest';
import type {
  Client,
  Created,
  ErrorCode,
  FieldsOf,
  FlaghoistError,
  Minimized,
  PathOf,
  Selected,
  Whole,
} from '../src/index.ts';

type VoyageStatus = 'EST' | 'NOM' | 'OPR' | 'FIN' | 'CLO';

/** The calls are compiled, never made. */
function compiled(_calls: (client: Client) => Promise<unknown>): void {}

test('a whole object has its scalars, what references show, and its collections', () => {
  compiled(async (client) => {
    const voyage = await client.get('Voyage', 1);
    expectTypeOf(voyage.referenceNo).toEqualTypeOf<number>();
    expectTypeOf(voyage.voyageStatus).toEqualTypeOf<VoyageStatus | null>();
    expectTypeOf(voyage.vessel).toEqualTypeOf<{
      key: number;
      self: string;
      vesselName: string;
      imoNumber: string | null;
    } | null>();
    const [portCall] = voyage.portCalls;
    expectTypeOf(portCall!.port.unLoCode).toEqualTypeOf<string>();
    expectTypeOf(portCall!.voyage).toEqualTypeOf<{ key: number; self: string }>();
    // @ts-expect-error: a collection of an element is shown by `fields` only
    portCall!.eventLogs;
    // @ts-expect-error: a vessel in a reference shows what identifies it
    voyage.vessel!.flag;
    const order = await client.get('BunkerOrder', 1);
    // What a PortCall is shown by includes its port.
    expectTypeOf(order.portCall.port.unLoCode).toEqualTypeOf<string>();
  });
});

test('a row of a list has references with key and self, and no collections', () => {
  compiled(async (client) => {
    for await (const voyage of client.list('Voyage')) {
      expectTypeOf(voyage).toEqualTypeOf<Minimized<'Voyage'>>();
      expectTypeOf(voyage.vessel).toEqualTypeOf<{ key: number; self: string } | null>();
      // @ts-expect-error: collections are not shown in lists
      voyage.portCalls;
    }
    const page = await client.page('Voyage', { fields: { comments: '*' } });
    expectTypeOf(page.objects).toEqualTypeOf<{ key: number; self: string; comments: string | null }[]>();
  });
});

test('a selection three levels deep decides the type of the answer', () => {
  compiled(async (client) => {
    const voyage = await client.get('Voyage', 1, {
      fields: { referenceNo: '*', portCalls: { eta: '*', port: { portName: '*' }, eventLogs: { event: '*' } } },
    });
    expectTypeOf(voyage.referenceNo).toEqualTypeOf<number>();
    expectTypeOf(voyage.portCalls[0]!).toEqualTypeOf<{
      key: number;
      self: string;
      eta: string | null;
      port: { key: number; self: string; portName: string | null };
      eventLogs: { key: number; self: string; event: 'ARR' | 'BRT' | 'DEP' }[];
    }>();
    // @ts-expect-error: not selected
    voyage.comments;
    // @ts-expect-error: not selected
    voyage.portCalls[0]!.port.unLoCode;

    const order = await client.get('BunkerOrder', 1, {
      fields: { portCall: { voyage: { vessel: { vesselName: '*' } } }, currency: '*', bunkerOrderLines: '*' },
    });
    expectTypeOf(order.portCall.voyage.vessel).toEqualTypeOf<{
      key: number;
      self: string;
      vesselName: string;
    } | null>();
    expectTypeOf(order.currency).toEqualTypeOf<Minimized<'Currency'> | null>();
    expectTypeOf(order.bunkerOrderLines[0]!.bunkerType.bunkerTypeCode).toEqualTypeOf<string>();
  });
});

test('`*` selects whole objects, in lists too', () => {
  compiled(async (client) => {
    for await (const voyage of client.list('Voyage', { fields: '*' })) {
      expectTypeOf(voyage).toEqualTypeOf<Whole<'Voyage'>>();
      expectTypeOf(voyage.portCalls[0]!.port.unLoCode).toEqualTypeOf<string>();
      // @ts-expect-error: objects of a list have no state, whole or not
      await client.update(voyage, { comments: 'late' });
    }
    const { objects } = await client.page('Voyage', { fields: '*', limit: 10 });
    expectTypeOf(objects).toEqualTypeOf<Whole<'Voyage'>[]>();
    expectTypeOf(await client.get('Voyage', 1, { fields: '*' })).toExtend<Whole<'Voyage'>>();
    const created = await client.create('Vessel', { vesselName: 'Alma' }, { fields: '*' });
    expectTypeOf(created.vesselName).toEqualTypeOf<string>();
    // @ts-expect-error: no other text
    await client.page('Voyage', { fields: 'all' });
  });
});

test('what is found is as what is got: whole or selected, with a state', () => {
  compiled(async (client) => {
    const voyage = await client.find('Voyage', { filter: [['referenceNo', 'EQ', 1007]] });
    expectTypeOf(voyage).toExtend<Whole<'Voyage'>>();
    await client.update(voyage, { comments: 'late' });
    const { vessel } = await client.find('Voyage', {
      filter: [['vessel.imoNumber', 'EQ', '9074729']],
      fields: { vessel: { vesselName: '*' } },
    });
    expectTypeOf(vessel).toEqualTypeOf<{ key: number; self: string; vesselName: string } | null>();
    // @ts-expect-error: which one?
    await client.find('Voyage', {});
    // @ts-expect-error: not an attribute
    await client.find('Voyage', { filter: [['referenceNumber', 'EQ', 1007]] });
  });
});

test('an attribute that a type does not have cannot be selected, at any level', () => {
  compiled(async (client) => {
    // @ts-expect-error: Voyage has no attribute nonsense
    await client.get('Voyage', 1, { fields: { comments: '*', nonsense: '*' } });
    // @ts-expect-error: Port has no attribute portNam
    await client.get('Voyage', 1, { fields: { portCalls: { port: { portNam: '*' } } } });
    // @ts-expect-error: a scalar is selected by '*'
    await client.get('Voyage', 1, { fields: { comments: true } });
    // @ts-expect-error: a scalar has nothing inside
    await client.get('Voyage', 1, { fields: { comments: { key: '*' } } });
    // @ts-expect-error: there is no such type
    await client.get('Voyag', 1);
  });
});

test('a selection that is only known when it runs makes each attribute optional', () => {
  expectTypeOf<Selected<'Port', FieldsOf<'Port'>>['portName']>().toEqualTypeOf<string | null | undefined>();
  expectTypeOf<Selected<'Port', FieldsOf<'Port'>>['key']>().toExtend<number | undefined>();
});

test('codes are unions, references are keys, objects with a key, or codes', () => {
  compiled(async (client) => {
    const vessel = await client.get('Vessel', 1);
    const voyage = await client.create('Voyage', {
      voyageStatus: 'NOM',
      vessel,
      ballastPort: 'NLRTM',
      portCalls: [
        { reasonForCall: 'L', port: { key: 3 }, eta: '2027-01-01T00:00:00' },
        { reasonForCall: 'D', port: 3, eventLogs: [{ event: 'ARR' }] },
      ],
    });
    expectTypeOf(voyage).toExtend<Whole<'Voyage'>>();
    // @ts-expect-error: not a code of voyageStatus
    await client.create('Voyage', { voyageStatus: 'NOPE' });
    // @ts-expect-error: a Vessel has no code
    await client.create('Voyage', { vessel: 'MV Northern Light' });
    // @ts-expect-error: port is mandatory
    await client.create('PortCall', { voyage: 1, reasonForCall: 'L' });
    // @ts-expect-error: set by the service
    await client.create('Voyage', { referenceNo: 1 });
    // @ts-expect-error: only the service writes the log
    await client.create('WebhookNotification', {});
  });
});

test('changes are of the type of the object', () => {
  compiled(async (client) => {
    const voyage = await client.get('Voyage', 1, { fields: {} });
    const changed = await client.update(voyage, { comments: null, portCalls: [{ key: 5, eta: null }] });
    expectTypeOf(changed.comments).toEqualTypeOf<string | null>();
    await client.update(changed, { voyageStatus: 'OPR' }, { fields: { voyageStatus: '*' } });
    await client.update('Voyage', 1, { voyageStatus: 'OPR' });
    // @ts-expect-error: not an attribute
    await client.update(voyage, { comment: 'late' });
    // @ts-expect-error: of another type
    await client.update('Vessel', 1, { comments: 'late' });
    const { objects } = await client.page('Voyage');
    // @ts-expect-error: objects of a list have no state
    await client.update(objects[0]!, { comments: 'late' });
  });
});

test('a wish for a subscription has a name, and nothing that the client decides', () => {
  compiled(async (client) => {
    const { key, outcome, subscription, signingSecret } = await client.ensureSubscription({
      name: 'Board',
      eventTypes: ['Voyage.*'],
      channelInfo: { channelType: 'STREAM' },
      json: { comments: '*' },
    });
    expectTypeOf(key).toEqualTypeOf<number>();
    expectTypeOf(outcome).toEqualTypeOf<'created' | 'unchanged' | 'updated' | 'replaced'>();
    expectTypeOf(signingSecret).toEqualTypeOf<string | undefined>();
    expectTypeOf(subscription.state).toEqualTypeOf<'ACTIVE' | 'DEACTIVATED' | 'UNSUBSCRIBED'>();
    await client.update(subscription, { unsubscribed: true });
    // @ts-expect-error: a name is needed
    await client.ensureSubscription({ eventTypes: ['Voyage.*'], url: 'https://agent.example' });
    // @ts-expect-error: null is no name
    await client.ensureSubscription({ name: null, eventTypes: ['Voyage.*'] });
    // @ts-expect-error: the client finds out what to replace
    await client.ensureSubscription({ name: 'Board', eventTypes: ['Voyage.*'], replaces: 7 });
    // @ts-expect-error: not an attribute
    await client.ensureSubscription({ name: 'Board', eventType: 'Voyage.U', expresion: '.x = 1' });
  });
});

test('a hook for what always fails gets the notification, and decides', () => {
  compiled(async (client) => {
    const fallback = () => undefined;
    await client.stream(1009, fallback, {
      poisonAfter: 5,
      onPoison: async ({ id, attempt }, error) => {
        expectTypeOf([id, attempt] as const).toEqualTypeOf<readonly [string, number]>();
        expectTypeOf(error).toEqualTypeOf<unknown>();
        return 'skip';
      },
    });
    // @ts-expect-error: not a decision
    await client.stream(1009, fallback, { onPoison: async () => 'drop' });
  });
});

test('secrets are in the type of what creating answers, and nowhere else', () => {
  expectTypeOf<Created<'WebhookSubscription'>['signingSecret']>().toEqualTypeOf<string>();
  expectTypeOf<Whole<'WebhookSubscription'>>().not.toHaveProperty('signingSecret');
  expectTypeOf<Created<'ApiClient'>['clientSecret']>().toEqualTypeOf<string>();
});

test('paths of filters and sorts are checked over three steps', () => {
  expectTypeOf<'portCalls.port.unLoCode'>().toExtend<PathOf<'Voyage'>>();
  expectTypeOf<'bunkerOrderLines.bunkerType.bunkerTypeCode'>().toExtend<PathOf<'BunkerOrder'>>();
  expectTypeOf<'portCall.voyage.vessel.vesselName'>().toExtend<PathOf<'BunkerOrder'>>();
  compiled(async (client) => {
    await client.page('Voyage', { filter: [['comments', 'NULL']], sort: ['vessel.vesselName(ASI)'] });
    await client.page('Voyage', { filter: ['(OR)', ['vessel', 'IN', [1, 2]], ['freight', 'BETWEEN', [1, 2]]] });
    // @ts-expect-error: not an attribute
    await client.page('Voyage', { filter: [['voyageStatu', 'EQ', 'OPR']] });
    // @ts-expect-error: not an attribute of a Port
    await client.page('Voyage', { filter: [['portCalls.port.nam', 'EQ', 'x']] });
    // @ts-expect-error: not an operator
    await client.page('Voyage', { filter: [['voyageStatus', '=', 'OPR']] });
    // @ts-expect-error: IN takes a list
    await client.page('Voyage', { filter: [['voyageStatus', 'IN', 'OPR']] });
    // @ts-expect-error: sorts go through references only
    await client.page('Voyage', { sort: ['portCalls.eta(AS)'] });
    // @ts-expect-error: not a direction
    await client.page('Voyage', { sort: ['comments(UP)'] });
  });
});

test('actions take and answer what the model says, with a key where they are on an object', () => {
  compiled(async (client) => {
    const ping = await client.call('WebhookSubscription', 'ping', { key: 1009 });
    expectTypeOf(ping.isDelivered).toEqualTypeOf<boolean>();
    const pulled = await client.call('WebhookSubscription', 'pull', { key: 1009, limit: 10, waitSeconds: 5 });
    expectTypeOf(pulled[0]!.body).toEqualTypeOf<string>();
    const decisions = await client.call('WebhookSubscription', 'decisions');
    expectTypeOf(decisions[0]!.eventType).toEqualTypeOf<'C' | 'U' | 'D'>();
    // @ts-expect-error: ping is on an object
    await client.call('WebhookSubscription', 'ping');
    // @ts-expect-error: pull takes no such member
    await client.call('WebhookSubscription', 'pull', { key: 1009, count: 10 });
    // @ts-expect-error: a stream is not an action to call
    await client.call('WebhookSubscription', 'stream', { key: 1009 });
    // @ts-expect-error: a Voyage has no actions
    await client.call('Voyage', 'ping', { key: 1 });
  });
});

test('the codes of errors are known, and new ones are possible', () => {
  expectTypeOf<'stale'>().toExtend<ErrorCode>();
  expectTypeOf<'network'>().toExtend<ErrorCode>();
  expectTypeOf<FlaghoistError['code']>().toEqualTypeOf<ErrorCode>();
  expectTypeOf<FlaghoistError['violations'][number]['path']>().toEqualTypeOf<string>();
});

/** What `flaghoist types` writes of an installation with a type of its own. */
interface OwnCatalogue {
  Tug: {
    scalars: { key: number; self: string; tugName: string; bollardPull: number | null };
    references: { homePort: 'Port' | null };
    collections: Record<never, never>;
    shownBy: 'tugName';
    onlyInObject: never;
    onlyByFields: never;
    shownOnce: Record<never, never>;
    create: { tugName: string; homePort?: number | null };
    change: { tugName?: string };
    actions: Record<never, never>;
  };
  Port: {
    scalars: { key: number; self: string; portName: string };
    references: Record<never, never>;
    collections: Record<never, never>;
    shownBy: 'portName';
    onlyInObject: never;
    onlyByFields: never;
    shownOnce: Record<never, never>;
    create: never;
    change: never;
    actions: Record<never, never>;
  };
}

test('a client of another catalogue has its types', () => {
  async function calls(client: Client<OwnCatalogue>) {
    const tug = await client.create('Tug', { tugName: 'Svitzer' });
    expectTypeOf(tug.homePort).toEqualTypeOf<{ key: number; self: string; portName: string } | null>();
    const { objects } = await client.page('Tug', { fields: { homePort: { portName: '*' } }, sort: ['tugName(AS)'] });
    expectTypeOf(objects[0]!.homePort!.portName).toEqualTypeOf<string>();
    await client.update(tug, { tugName: 'Bugsier' });
    // @ts-expect-error: not in this catalogue
    await client.get('Voyage', 1);
  }
  expectTypeOf(calls).returns.resolves.toBeVoid();
});
