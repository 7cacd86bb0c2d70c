// Objects in the console, in a real browser: lists, one object, its history, changes and their conflicts.

import { describe, expect, test } from 'vitest';
import { createClient, type TestClient } from '../support/access.ts';
import { useTestService } from '../support/test-service.ts';
import {
  axeViolations,
  becauseOfChromium,
  harmDone,
  hasChromium,
  hostileTexts,
  useConsole,
} from './console-browser.ts';

describe.skipIf(!hasChromium)(`objects in the console${becauseOfChromium}`, () => {
  const service = useTestService();
  const console = useConsole(service);
  const create = async (type: string, content: unknown) => {
    const { status, body } = await service.post(`/ws/rest/${type}`, content);
    expect(status, body.message).toBe(201);
    return body;
  };
  let ports = 100;
  const createPort = async (name: string) => {
    ports += 1;
    return create('Port', { portName: name, unLoCode: `XX${ports}` });
  };
  const createVoyage = async (comments: string) => {
    const port = await createPort(`Port of ${comments}`.slice(0, 60));
    const portCalls = [{ port: port.key, reasonForCall: 'L', eta: '2026-11-20T12:00:00' }];
    return create('Voyage', { comments: comments.slice(0, 64), voyageStatus: 'EST', freight: 1, portCalls });
  };
  let reader: TestClient | undefined;
  const readOnly = async () => {
    reader ??= await createClient(service, ['read']);
    return reader;
  };

  test('from the list of types to one object and back: each step is in the address', async () => {
    const voyage = await createVoyage('Through the Sound');
    const page = await console.open('/objects');
    await page.getByRole('link', { name: 'Voyage', exact: true }).click();
    await page
      .getByRole('row', { name: /Through the Sound/ })
      .getByRole('link', { name: String(voyage.key) })
      .click();
    await page.getByRole('heading', { level: 1, name: /^Voyage / }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/console/objects/Voyage/${voyage.key}`);
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: 'Voyage' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/console/objects/Voyage');
  });

  test('a filter is made from the model, is in the address, and can be removed', async () => {
    await Promise.all([createVoyage('Wanted'), createVoyage('Unwanted one')]);
    const page = await console.open('/objects/Voyage');
    await page.getByText('+ Filter').click();
    await page.getByLabel('Attribute').selectOption('comments');
    await page.getByLabel('Comparison').selectOption('EQ');
    await page.getByLabel('Value').fill('Wanted');
    await page.getByRole('button', { name: 'Add' }).click();
    await page.getByText('1 object', { exact: true }).waitFor();
    expect(new URL(page.url()).searchParams.getAll('filter')).toEqual(['comments(EQ)"Wanted"']);
    await page.getByRole('button', { name: /Remove this filter/ }).click();
    await page.getByRole('row', { name: /Unwanted one/ }).waitFor();
  });

  test('a change sends what was changed alone, keeps all digits, and can be undone', async () => {
    const voyage = await createVoyage('To be changed');
    const page = await console.open(`/objects/Voyage/${voyage.key}?edit=yes`);
    await page.getByLabel('Freight', { exact: true }).fill('1234567890123456.12345678');
    const sent = page.waitForRequest((request) => request.method() === 'PUT');
    await page.getByRole('button', { name: 'Save' }).click();
    expect((await sent).postData()).toBe('{"freight":1234567890123456.12345678}');
    await page.getByText('1234567890123456.12345678').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('1234567890123456.12345678').waitFor({ state: 'detached' });
    expect((await service.get(`/ws/rest/Voyage/${voyage.key}`)).text).toContain('"freight":1,');
  });

  test('a change on top of another one is not saved: both are shown, and the user decides', async () => {
    const voyage = await createVoyage('Contested');
    const page = await console.open(`/objects/Voyage/${voyage.key}?edit=yes`);
    await page.getByLabel('Comments').fill('Mine');
    await service.put(`/ws/rest/Voyage/${voyage.key}`, { comments: 'Theirs' });
    console.expectTrouble(/^412 PUT/);
    await page.getByRole('button', { name: 'Save' }).click();
    const alert = page.getByRole('alert');
    await alert.getByRole('cell', { name: 'Theirs' }).waitFor();
    expect((await service.get(`/ws/rest/Voyage/${voyage.key}`)).body.comments).toBe('Theirs');
    await alert.getByRole('button', { name: 'Save mine on top' }).click();
    await page.getByText('is saved').waitFor();
    expect((await service.get(`/ws/rest/Voyage/${voyage.key}`)).body.comments).toBe('Mine');
  });

  test('a mistake is shown at its field', async () => {
    const voyage = await createVoyage('Mistaken');
    const page = await console.open(`/objects/Voyage/${voyage.key}?edit=yes`);
    // What is typed is also tried: which subscriptions would be notified of it.
    console.expectTrouble(/^400 (PUT|POST .*\/affected$)/);
    await page.getByLabel('Estimated voyage start date').fill('tomorrow');
    await page.getByRole('button', { name: 'Save' }).click();
    const field = page.getByLabel('Estimated voyage start date');
    await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true');
  });

  test('a part is added and removed in place, and the history shows who did it', async () => {
    const voyage = await createVoyage('With parts');
    const port = await createPort('Port of the part');
    const page = await console.open(`/objects/Voyage/${voyage.key}`);
    await page.getByRole('heading', { name: 'Port calls (1)' }).waitFor();
    await page.getByRole('button', { name: 'Add' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Port *', { exact: true }).fill(String(port.key));
    await dialog.getByLabel('Reason for call *').selectOption('D');
    await dialog.getByRole('button', { name: 'Add' }).click();
    await page.getByRole('heading', { name: 'Port calls (2)' }).waitFor();
    await page
      .getByRole('button', { name: /^Remove Port call/ })
      .last()
      .click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('heading', { name: 'Port calls (1)' }).waitFor();
    await page.getByRole('tab', { name: 'History' }).click();
    await page.getByRole('listitem').filter({ hasText: 'deleted' }).first().waitFor();
    expect(await page.getByRole('listitem').filter({ hasText: 'created' }).count()).toBeGreaterThanOrEqual(2);
  });

  test('before an object or a part is made or deleted, the page names the subscriptions that would be notified', async () => {
    const subscribe = async (eventType: string) => {
      const body = { eventType, name: `Watches ${eventType}`, channelInfo: { channelType: 'STREAM' } };
      const made = await create('WebhookSubscription', body);
      service.secrets.plant('a signing secret', made.signingSecret);
      return made.key as number;
    };
    const keys = [await subscribe('Voyage.C'), await subscribe('Voyage.D'), await subscribe('PortCall.C')];
    const port = await createPort('Port of notice');
    const page = await console.open('/objects/Voyage/new');
    const notice = page.getByText('would be notified');
    await page.getByText('1 subscription would be notified: Watches Voyage.C').waitFor();
    await page.getByRole('button', { name: 'Add' }).first().click();
    await page.getByLabel('Port *', { exact: true }).fill(String(port.key));
    // Until it is complete, nothing is said.
    await notice.waitFor({ state: 'detached' });
    await page.getByLabel('Reason for call *').selectOption('L');
    await page.getByText('2 subscriptions would be notified: ').waitFor();
    for (const name of ['Watches Voyage.C', 'Watches PortCall.C']) await page.getByRole('link', { name }).waitFor();
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name: 'Port calls (1)' }).waitFor();

    await page.getByRole('button', { name: 'Add' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Port *', { exact: true }).fill(String(port.key));
    await dialog.getByLabel('Reason for call *').selectOption('D');
    await dialog.getByText('1 subscription would be notified: Watches PortCall.C').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: /^Remove Port call/ }).click();
    await dialog.getByText('Nobody would be notified.').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Delete' }).click();
    await dialog.getByText('1 subscription would be notified: Watches Voyage.D').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    for (const key of keys) await service.put(`/ws/rest/WebhookSubscription/${key}`, { unsubscribed: true });
  });

  test('an undo does not overwrite what somebody else has changed since', async () => {
    const voyage = await createVoyage('First');
    const page = await console.open(`/objects/Voyage/${voyage.key}?edit=yes`);
    await page.getByLabel('Comments', { exact: true }).fill('Mine');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('is saved').waitFor();
    await service.put(`/ws/rest/Voyage/${voyage.key}`, { comments: 'Theirs' });
    console.expectTrouble(/^412 PUT/);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText(/changed (since|meanwhile)/).waitFor();
    expect((await service.get(`/ws/rest/Voyage/${voyage.key}`)).body.comments).toBe('Theirs');
  });

  test('who may only read sees no way to change anything', async () => {
    const voyage = await createVoyage('To be read');
    const page = await console.open(`/objects/Voyage/${voyage.key}`, { client: await readOnly() });
    await page.getByText('To be read').first().waitFor();
    for (const name of ['Edit', 'Delete', 'Add'])
      expect(await page.getByRole('button', { name, exact: true }).count(), name).toBe(0);
    expect(await page.getByRole('link', { name: 'Users' }).count()).toBe(0);
  });

  test.each(Object.entries(hostileTexts))('a hostile text is shown as text: %s', async (_, text) => {
    const voyage = await createVoyage(text);
    for (const path of [
      '/objects/Voyage?columns=comments',
      `/objects/Voyage/${voyage.key}`,
      `/objects/Voyage/${voyage.key}?tab=history`,
    ]) {
      const page = await console.open(path, { viewport: { width: 320, height: 800 } });
      await page.getByText(text.slice(0, 20)).first().waitFor();
      expect(await harmDone(page), path).toEqual({ hasRun: false, isTooWide: false });
    }
  });

  test.each(['light', 'dark'] as const)('a screen reader and weak eyes find nothing wrong: %s', async (colorScheme) => {
    const voyage = await createVoyage('Seen by all');
    const one = `/objects/Voyage/${voyage.key}`;
    for (const path of ['/objects', '/objects/Voyage', one, `${one}?edit=yes`, `${one}?tab=history`, '/why-not']) {
      const page = await console.open(path, { colorScheme, bypassCSP: true });
      // The page before the sign-in has a heading, too.
      await page.locator('#page h1').waitFor();
      await page.getByRole('status', { name: 'Loading', exact: true }).waitFor({ state: 'detached' });
      expect(await axeViolations(page), path).toEqual([]);
    }
  });
});
