// Pages, their links, and the number of all matches.

import { beforeAll, describe, expect, test } from 'vitest';
import { create, type Shown } from '../support/fleet.ts';
import { type Answer, useTestService } from '../support/test-service.ts';

const service = useTestService();
const total = 25;
beforeAll(async () => {
  await createVessels('paged', total);
});

function createVessels(flag: string, count: number): Promise<Shown[]> {
  const vessels = Array.from({ length: count }, (_, index) => ({ vesselName: `${index % 7}`, flag }));
  return create(service, 'Vessel', vessels);
}

function page(query: string, headers?: Record<string, string>): Promise<Answer> {
  return service.get(`/ws/rest/Vessel?filter=flag(EQ)paged${query}`, headers);
}

function keysOf({ body }: Answer): number[] {
  return body.map(({ key }: Shown) => key);
}

/** The URL of each relation in a `Link` header. */
function linksOf({ headers }: Answer): Record<string, string> {
  const links = (headers.get('link') ?? '').matchAll(/<([^>]*)>; rel="(\w+)"/g);
  return Object.fromEntries([...links].map(([, url, relation]) => [relation, url]));
}

function follow(url: string | undefined): Promise<Answer> {
  return service.get(url!.slice(service.url().length));
}

describe('pages', () => {
  test('pageNumber counts from 1, limit says how many objects a page has', async () => {
    const all = keysOf(await page(''));
    expect(all).toHaveLength(total);
    expect(keysOf(await page('&limit=10'))).toEqual(all.slice(0, 10));
    expect(keysOf(await page('&limit=10&pageNumber=1'))).toEqual(all.slice(0, 10));
    expect(keysOf(await page('&limit=10&pageNumber=3'))).toEqual(all.slice(20));
    expect(keysOf(await page('&limit=10&pageNumber=4'))).toEqual([]);
  });

  test.each([
    'limit=0',
    'limit=2001',
    'limit=-1',
    'limit=ten',
    'limit=',
    'pageNumber=0',
    'pageNumber=1.5',
    'limit=1&limit=2',
  ])('a limit is from 1 to 2000, a pageNumber from 1: %s is a 400', async (query) => {
    expect((await page(`&${query}`)).status).toBe(400);
  });

  test('a limit of 2000 is accepted', async () => {
    expect((await page('&limit=2000')).body).toHaveLength(total);
  });
});

describe('totalObjectsNumber', () => {
  test.each(['', '&limit=10', '&limit=10&pageNumber=2', '&limit=10&pageNumber=3', '&limit=10&pageNumber=9'])(
    'counts all matches, whatever the page: %s',
    async (query) => {
      expect((await page(query)).headers.get('totalObjectsNumber')).toBe(String(total));
    },
  );

  test('counts objects, not elements of the collections that a filter goes through', async () => {
    const port = await create(service, 'Port', { unLoCode: 'ZZPAG' });
    const call = { port: port.key, reasonForCall: 'L' };
    await create(service, 'Voyage', { portCalls: [call, call, call] });
    const answer = await service.get(`/ws/rest/Voyage?filter=portCalls.port(EQ)${port.key}`);
    expect([answer.headers.get('totalObjectsNumber'), answer.body.length]).toEqual(['1', 1]);
  });

  test('is omitted with the request header noCount: YES', async () => {
    const answer = await page('&limit=10', { noCount: 'YES' });
    expect(answer.headers.has('totalObjectsNumber')).toBe(false);
    expect(keysOf(answer)).toEqual(keysOf(await page('&limit=10')));
    expect(Object.keys(linksOf(answer))).toEqual(['first', 'next']);
  });
});

describe('links', () => {
  test('give first, prev, next and last', async () => {
    const all = keysOf(await page(''));
    const { first, prev, next, last } = linksOf(await page('&limit=10&pageNumber=2'));
    expect(keysOf(await follow(first))).toEqual(all.slice(0, 10));
    expect(keysOf(await follow(prev))).toEqual(all.slice(0, 10));
    expect(keysOf(await follow(next))).toEqual(all.slice(20));
    expect(keysOf(await follow(last))).toEqual(all.slice(20));
  });

  test('omit prev on the first page and next on the last', async () => {
    expect(Object.keys(linksOf(await page('&limit=10')))).toEqual(['first', 'next', 'last']);
    expect(Object.keys(linksOf(await page('&limit=10&pageNumber=3')))).toEqual(['first', 'prev', 'last']);
    expect(Object.keys(linksOf(await page('&limit=25')))).toEqual(['first', 'last']);
  });

  test('keep filters, sorts and fields as they were sent', async () => {
    const fields = encodeURIComponent('{"vesselName":"*"}');
    const answer = await service.get(
      `/ws/rest/Vessel?filter=flag(EQ)paged&sort=vesselName(DS)&fields=${fields}&limit=4`,
    );
    const next = await follow(linksOf(answer).next);
    expect(next.body).toHaveLength(4);
    expect(Object.keys(next.body[0])).toEqual(['key', 'self', 'vesselName']);
    expect(next.body[0].vesselName).toBe('5');
  });

  test('next has a cursor; with another filter or sort it is a 400', async () => {
    const { next } = linksOf(await page('&limit=10'));
    const after = new URL(next!).searchParams.get('after');
    expect(after).toBeTruthy();
    expect((await page(`&limit=10&after=${after}`)).status).toBe(200);
    expect((await page(`&limit=10&after=${after}&sort=vesselName(AS)`)).status).toBe(400);
    expect((await service.get(`/ws/rest/Vessel?limit=10&after=${after}`)).status).toBe(400);
    expect((await page('&limit=10&after=nonsense')).status).toBe(400);
  });

  test.each(['', '&sort=vesselName(AS)', '&sort=vesselName(DSI)&sort=callSignal(DS)'])(
    'next neither repeats nor skips objects that stay, whatever is written meanwhile: %s',
    async (sort) => {
      const flag = `moving${sort.length}`;
      const staying = (await createVessels(flag, 20)).map(({ key }) => key);
      const goers = (await createVessels(flag, 20)).map(({ key }) => key);
      const seen: number[] = [];
      let next: string | undefined = `${service.url()}/ws/rest/Vessel?filter=flag(EQ)${flag}&limit=7${sort}`;
      while (next) {
        const answer = await follow(next);
        seen.push(...keysOf(answer));
        next = linksOf(answer).next;
        for (const gone of goers.splice(0, 6)) await service.delete(`/ws/rest/Vessel/${gone}`);
        if (goers.length > 0) await createVessels(flag, 3);
      }
      expect(new Set(seen).size).toBe(seen.length);
      expect(staying.filter((key) => !seen.includes(key))).toEqual([]);
    },
  );
});

describe('a list without limit', () => {
  test('of 2000 objects is returned whole; of more it is a 400 that suggests to filter or page', async () => {
    await createVessels('many', 1000);
    await createVessels('many', 1000);
    const whole = await service.get('/ws/rest/Vessel?filter=flag(EQ)many');
    expect([whole.status, whole.body.length, whole.headers.get('totalObjectsNumber')]).toEqual([200, 2000, '2000']);
    await createVessels('many', 1);
    const refused = await service.get('/ws/rest/Vessel?filter=flag(EQ)many');
    expect(refused.status).toBe(400);
    expect(refused.body.message).toMatch(/filter.*page/);
    const paged = await service.get('/ws/rest/Vessel?filter=flag(EQ)many&limit=2000');
    expect([paged.body.length, paged.headers.get('totalObjectsNumber')]).toEqual([2000, '2001']);
  });
});
