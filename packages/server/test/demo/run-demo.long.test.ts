// The demo against a real service on a database of its own.
import { beforeAll, describe, expect, test } from 'vitest';
import { Database } from '../../src/database/database.ts';
import { runDemo } from '../../src/demo/run-demo.ts';
import { buildModel } from '../../src/model/build-model.ts';
import { catalogue } from '../../src/model/catalogue/catalogue.ts';
import { openObjects } from '../../src/objects/objects.ts';
import { loadReferenceData } from '../../src/reference-data/load-reference-data.ts';
import { type Credentials, createClient, testAudience } from '../support/access.ts';
import { useTestService } from '../support/test-service.ts';
import { seededRandom } from './seeded-random.ts';

const clock = { now: () => new Date('2026-11-14T06:00:00Z'), monotonicMs: () => 0 };
const changeLine = /^(Voyage|PortCall|Cargo|BunkerOrder|Document|Remarks) \d+ /;

describe('three hundred ticks', () => {
  const service = useDemoService();
  let lines: string[] = [];

  beforeAll(async () => {
    lines = await demoLines(service, { seed: 1, count: 301 });
  });

  test('not one request fails', () => {
    expect(service.failures()).toEqual([]);
  });

  test('each change is one line that a person can read', () => {
    expect(lines[0]).toMatch(/The fleet is at sea: 8 vessels, 10 voyages, 12 partners\.$/);
    expect(lines.slice(1).filter((line) => !changeLine.test(line))).toEqual([]);
    expect(lines.filter((line) => line.includes('not done'))).toEqual([]);
  });

  test.each([
    ['an ETA moves', /PortCall \d+ .+: ETA \d\d \w{3} \d\d:\d\d → \d\d \w{3} \d\d:\d\d$/],
    ['a ship arrives', /PortCall \d+ .+ arrived \d\d \w{3} \d\d:\d\d$/],
    ['a ship sails', /PortCall \d+ .+ sailed /],
    ['a voyage goes on', /Voyage \d+ .+: NOM → OPR$/],
    ['a voyage is closed', /Voyage \d+ .+: FIN → CLO$/],
    ['a voyage is opened', /Voyage \d+ .+: opened, [\d,]+ (MT|CBM) .+ from .+ to .+$/],
    ['bunkers are ordered', /BunkerOrder \d+ .+ planned for /],
    ['bunkers are delivered', /BunkerOrder \d+ .+: ORD → DLV, [\d,.]+ t bunkered$/],
    ['a cargo figure changes', /Cargo \d+ .+: quantity [\d,.]+ → [\d,.]+ (MT|CBM)$/],
    ['fuel changes its price', /Voyage \d+ .+: fuel [\d.]+ → [\d.]+ USD\/t$/],
    ['freight is invoiced', /Document \d+ FRT-\d+: [\d,.]+ USD, Freight and demurrage/],
    ['a document is posted', /Document \d+ .+: RFP → PST$/],
    ['a remark is left', /Remarks \d+ on PortCall \d+ .+: \w+/],
  ])('%s', (_what, pattern) => {
    expect(lines.some((line) => pattern.test(line))).toBe(true);
  });

  test('every ship has an open voyage or gets one, and no ship is on two at once', async () => {
    const sailing = await list(service, 'Voyage', 'filter=voyageStatus(EQ)OPR');
    const vessels = sailing.map((voyage) => (voyage.vessel as { key: number }).key);
    expect(new Set(vessels).size).toBe(vessels.length);
  });

  test('at each port call a ship arrives, berths and sails, in this order', async () => {
    const fields = encodeURIComponent('{"eventLogs":{"event":"*","eventLogDate":"*"}}');
    const calls = await list(service, 'PortCall', `fields=${fields}`);
    for (const { eventLogs } of calls as { eventLogs: { event: string; eventLogDate: string }[] }[]) {
      expect(['ARR', 'BRT', 'DEP'].slice(0, eventLogs.length)).toEqual(eventLogs.map(({ event }) => event));
      const dates = eventLogs.map(({ eventLogDate }) => eventLogDate);
      expect(dates).toEqual([...dates].sort());
    }
  });

  test('a second run finds the fleet again and doubles nothing', async () => {
    const counts = () =>
      Promise.all(
        ['Vessel', 'BusinessPartner', 'Voyage', 'Cargo', 'BunkerOrder', 'Document', 'Remarks'].map(
          async (resource) => (await list(service, resource)).length,
        ),
      );
    const before = await counts();
    await demoLines(service, { seed: 2, count: 1 });
    expect(await counts()).toEqual(before);
  });
});

describe('the same dice on the same installation', () => {
  const [one, other] = [useDemoService(), useDemoService()];

  test('are the same', async () => {
    const lines = await demoLines(one, { seed: 42, count: 60 });
    expect(await demoLines(other, { seed: 42, count: 60 })).toEqual(lines);
  });
});

describe('while somebody else deletes what the demo has made', () => {
  const service = useDemoService();

  test('it goes on', async () => {
    const random = seededRandom(5);
    const meddle = async () => {
      const resource =
        ['PortCall', 'Cargo', 'BunkerOrder', 'EventLog', 'Voyage', 'Document'][Math.floor(random() * 6)] ?? '';
      const [object] = await list(service, resource, 'limit=1&sort=key(DS)');
      if (object) await service.delete(`/ws/rest/${resource}/${object.key}`);
    };
    const meddling: Promise<void>[] = [];
    const lines = await demoLines(service, { seed: 6, count: 120, onLine: () => meddling.push(meddle()) });
    await Promise.all(meddling);
    expect(lines).toHaveLength(120);
    expect(service.failures().filter(({ status }) => status >= 500)).toEqual([]);
  });
});

interface Story {
  seed: number;
  /** How many lines to wait for. */
  count: number;
  onLine?: () => void;
}

async function demoLines(service: DemoService, { seed, count, onLine }: Story): Promise<string[]> {
  const stop = new AbortController();
  const lines: string[] = [];
  const print = (line: string) => {
    if (lines.length < count) lines.push(line);
    if (lines.length === count) stop.abort();
    onLine?.();
  };
  const credentials = { ...service.client(), audience: testAudience };
  const random = seededRandom(seed);
  await runDemo({
    baseUrl: service.url(),
    credentials,
    signal: stop.signal,
    print,
    tickMs: 0,
    random,
    clock,
    retryMs: 1,
  });
  return lines;
}

async function list(service: DemoService, resource: string, query = ''): Promise<Record<string, unknown>[]> {
  return (await service.get(`/ws/rest/${resource}?${query}`)).body;
}

type DemoService = ReturnType<typeof useDemoService>;

/** A service with reference data, on a database of its own, and a client of it that may write and nothing else. */
function useDemoService() {
  const service = useTestService();
  let client: Credentials;
  beforeAll(async () => {
    await fillReferenceData(service.database.url);
    client = await createClient(service, ['write']);
  });
  const requests = () => service.observations.flatMap((each) => (each.kind === 'request.completed' ? [each] : []));
  return { ...service, client: () => client, failures: () => requests().filter(({ status }) => status >= 400) };
}

async function fillReferenceData(url: string): Promise<void> {
  const observe = () => undefined;
  const model = buildModel(catalogue);
  const database = new Database({ url, observe, connectionsMax: 2, statementTimeoutMs: 10_000 });
  await loadReferenceData({
    objects: openObjects(database, model, { restUrl: '', arrayObjectsMax: 1000 }),
    model,
    observe,
  });
  await database.close();
}
