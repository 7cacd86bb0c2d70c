// The editor of a subscription in a real browser: what a subscription covers, its expression, what is sent, and what
// the dry run beside the form says about the last changes.

import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { readSubscription, subscribeTo } from '../deliver/hooks.ts';
import { makeScript } from '../shape/shaped.ts';
import { createFleet, createVoyage, type Fleet, freshCode, type Shown } from '../support/fleet.ts';
import { useTestService } from '../support/test-service.ts';
import { axeViolations, becauseOfChromium, harmDone, hasChromium, useConsole } from './console-browser.ts';
import { codeField, resultOf, save, typeCode } from './editor-page.ts';

/** On a busy machine a browser takes its time. */
const timeout = 120_000;

describe.skipIf(!hasChromium)(`the editor of a subscription${becauseOfChromium}`, { timeout }, () => {
  const service = useTestService();
  const browser = useConsole(service);
  let fleet: Fleet;
  let voyage: Shown;
  beforeAll(async () => {
    fleet = await createFleet(service);
    voyage = await createVoyage(service, fleet, { freight: 100 });
    for (const freight of [200, 150, 300])
      expect((await service.put(`/ws/rest/Voyage/${voyage.key}`, { freight })).status).toBe(200);
  });

  /** The editor of a new subscription to changes of the voyage, with its four changes tried. */
  async function openWithVoyage(expression = ''): Promise<Page> {
    const page = await browser.open('/subscriptions/new');
    await page.getByLabel('Type of objects').selectOption('Voyage');
    await typeCode(page, 'Expression', expression);
    return page;
  }

  test('types come from the model, parts below their owner; operations toggle, and one object can be found', async () => {
    const page = await browser.open('/subscriptions/new');
    const type = page.getByLabel('Type of objects');
    await type.waitFor();
    const texts = await type.locator('option').allInnerTexts();
    const { types } = (await service.get('/ws/rest/model')).body;
    const offered = types.filter(({ makesEvents }: Shown) => makesEvents);
    expect(texts.map((text) => text.split(',')[0]).sort()).toEqual(
      [...offered.map(({ name }: Shown) => name), 'Choose a type', 'Every type'].sort(),
    );
    expect(texts.indexOf('PortCall, of Voyage')).toBeGreaterThan(texts.indexOf('Voyage'));
    expect(texts.slice(texts.indexOf('Voyage') + 1, texts.indexOf('PortCall, of Voyage'))).toEqual(
      expect.not.arrayContaining([expect.stringMatching(/^\w+$/)]),
    );
    await type.selectOption('Vessel');
    await page.getByRole('button', { name: 'deleted' }).click();
    await page.getByLabel('Which').selectOption('ONE');
    await expect.poll(() => page.getByRole('button', { name: 'created' }).isDisabled()).toBe(true);
    const { vesselName, key } = fleet.vessel;
    const search = page.getByLabel('Vessel', { exact: true });
    await search.fill(vesselName.toLowerCase());
    const option = page.locator('datalist option').first();
    await option.waitFor({ state: 'attached' });
    await search.fill((await option.getAttribute('value'))!);
    await page.getByRole('radio', { name: 'Stream' }).check();
    const { eventTypes } = await readSubscription(service, await save(page, service));
    expect(eventTypes).toEqual([`Vessel.U.${key}`]);
  });

  test('the tree shows what a type also covers, and goes when only the object itself counts', async () => {
    const page = await openWithVoyage();
    const tree = page.locator('.covered-hierarchy');
    await tree.getByText('“Voyage updated” also covers').waitFor();
    const calls = tree.getByRole('listitem').filter({ has: page.getByText('portCalls', { exact: true }) });
    await calls.getByRole('listitem').filter({ hasText: 'EventLog eventLogs' }).waitFor();
    await page.getByRole('button', { name: 'updated' }).click();
    await tree.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'updated' }).click();
    await tree.waitFor();
    await page.getByLabel('Only changes to the object itself').check();
    await tree.waitFor({ state: 'detached' });
  });

  test('Ctrl-Space completes an attribute; a wrong one is marked while typing and corrected by a click', async () => {
    browser.expectTrouble(/^400 POST .*testRecent/);
    const page = await openWithVoyage('v');
    const field = codeField(page, 'Expression');
    await page.keyboard.press('Control+Space');
    const selected = page.locator('[role="option"][aria-selected="true"]');
    expect(await selected.innerText()).not.toMatch(/^vessel\b/);
    await expect
      .poll(async () => {
        await page.keyboard.press('ArrowDown');
        return selected.innerText();
      })
      .toMatch(/^vessel\b/);
    await page.keyboard.press('Enter');
    await expect.poll(() => field.innerText()).toBe('vessel');
    await typeCode(page, 'Expression', 'freigth > 120');
    await page.locator('.cm-lintRange-error').waitFor();
    expect(await page.locator('.cm-lintRange-error').innerText()).toBe('freigth');
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    await page.getByRole('button', { name: 'Use freight', exact: true }).click();
    await expect.poll(() => field.innerText()).toBe('freight > 120');
    await page.locator('.cm-lintRange-error').waitFor({ state: 'detached' });
    expect(await field.getAttribute('aria-invalid')).toBe('false');
  });

  test('the dry run counts matches, explains rejections, and shows exactly the fields that are saved', async () => {
    const page = await openWithVoyage('freight > old.freight');
    const result = resultOf(page);
    await page.getByRole('button', { name: 'created' }).click();
    await result.getByRole('heading', { name: 'Of the last 3 changes 2 match' }).waitFor();
    await result.getByRole('button', { name: /does not match.*expression false/s }).click();
    await result.getByText(/freight > old\.freight with freight = 150\.0 and old\.freight = 200\.0/).waitFor();
    const tree = result.getByRole('list', { name: 'Values of the parts' });
    await tree.getByText('= 150', { exact: false }).first().waitFor();
    await result.getByLabel('Only those that match').check();
    await expect.poll(() => result.getByRole('listitem').filter({ hasText: 'Voyage.U' }).count()).toBe(2);

    await result
      .getByRole('button', { name: /^matches/ })
      .first()
      .click();
    const body = result.getByRole('region', { name: 'Body' });
    await body.getByText('"voyageStatus"').waitFor();
    await page.getByRole('radio', { name: 'Chosen fields' }).check();
    await page.getByRole('checkbox', { name: 'freight', exact: true }).check();
    await page.getByRole('button', { name: 'Attributes of vessel', exact: true }).click();
    await page.getByRole('checkbox', { name: 'vesselName', exact: true }).check();
    await body.getByText('"voyageStatus"').waitFor({ state: 'detached' });
    await body.getByText('"vesselName"').waitFor();
    await body.getByText('"freight": 300').waitFor();

    await page.getByRole('radio', { name: 'Stream' }).check();
    const stored = await readSubscription(service, await save(page, service));
    expect(stored.expression).toBe('freight > old.freight');
    expect(JSON.parse(Buffer.from(stored.json, 'base64').toString())).toEqual({
      freight: '*',
      vessel: { vesselName: '*' },
    });
    expect(stored.eventTypes).toEqual(['Voyage.U', 'Voyage.D']);
  });

  test('a script shows its log and its message, and an error with its line', async () => {
    const name = freshCode('Judge', 9);
    const source =
      "console.log('freight is ' + svcObject.freight);\n" +
      'if (parameters.limit < 0)\n  svcObject.nothing.here();\n' +
      "message.body = 'Freight: ' + svcObject.freight;\nreturn svcObject.freight > parameters.limit;";
    const parameters = [{ name: 'limit', type: 'number', required: true }];
    const { code } = await makeScript(service, source, { name, parameters });
    const page = await openWithVoyage();
    await page.getByLabel('Script', { exact: true }).selectOption(code);
    await page.getByLabel('limit').fill('160');
    await page.getByLabel('Send the message of the script').check();
    const result = resultOf(page);
    await result.getByRole('region', { name: 'Log of the script' }).getByText('freight is 300').waitFor();
    await result.getByRole('region', { name: 'Body' }).getByText('Freight: 300').waitFor();
    await result
      .getByRole('button', { name: /script says no/ })
      .first()
      .waitFor();
    await page.getByLabel('limit').fill('-1');
    await result
      .getByRole('button', { name: /script failed/ })
      .first()
      .click();
    await result
      .getByText(/line 3\b/)
      .first()
      .waitFor();
  });

  test('a stylesheet shows what it makes, and an error with its line', async () => {
    const page = await openWithVoyage();
    await page.getByRole('radio', { name: 'Made by a stylesheet' }).check();
    const body = resultOf(page).getByRole('region', { name: 'Body' });
    await body.getByText(`<message type="Voyage" key="${voyage.key}"/>`).waitFor();
    await typeCode(
      page,
      'Stylesheet',
      '<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">\n' +
        '<xsl:template match="/">\n<xsl:value-of select="Voyage/["/>\n</xsl:template>\n</xsl:stylesheet>',
    );
    browser.expectTrouble(/^400 POST .*testRecent/);
    await expect.poll(() => resultOf(page).innerText()).toMatch(/^xsl: .*line 3\b/im);
  });

  test('the retry schedule is drawn, and follows the numbers', async () => {
    const page = await browser.open('/subscriptions/new');
    const drawn = page.locator('.retry-line');
    const dots = () => drawn.locator('circle').count();
    await drawn.getByRole('img', { name: /^5 attempts in 4 m/ }).waitFor();
    expect(await dots()).toBe(5);
    await page.getByRole('radio', { name: 'My own schedule' }).check();
    await page.getByRole('spinbutton', { name: 'Attempts' }).fill('4');
    await page.getByLabel('Seconds between').fill('10');
    await expect.poll(() => drawn.innerText()).toMatch(/^4 attempts in 30\.0 s\./m);
    expect(await dots()).toBe(4);
    await page.getByLabel('Backoff').selectOption('EXPONENTIAL');
    await expect.poll(() => drawn.innerText()).toMatch(/^4 attempts in 1 min\./m);
    const lastTitle = drawn.locator('circle title').last();
    expect(await lastTitle.textContent()).toMatch(/^Attempt 4, after/);
    await page.getByLabel('Longest, in seconds').fill('10');
    await expect.poll(() => drawn.innerText()).toMatch(/^4 attempts in 30\.0 s\./m);
    await page.getByLabel('Never deactivate').check();
    expect(await drawn.innerText()).not.toContain('deactivated');
    await page.getByRole('spinbutton', { name: 'Attempts' }).fill('0');
    await drawn.waitFor({ state: 'detached' });
  });

  test.each([360, 768, 1440])('axe finds nothing, and nothing is cut off (%i)', async (width) => {
    const subscription = await subscribeTo(service, {
      eventType: 'Voyage.U',
      url: 'https://agent.example/hook',
      expression: 'freight > old.freight',
      json: { freight: '*', vessel: { vesselName: '*' } },
      headers: { 'X-Api-Key': 'a' },
      retryPolicy: { attempts: 3, intervalSeconds: 5, backoff: 'EXPONENTIAL' },
    });
    const page = await browser.open('/subscriptions/new', {
      viewport: { width, height: 900 },
      colorScheme: width === 768 ? 'dark' : 'light',
      bypassCSP: true,
    });
    for (const path of ['new', `new?copy=${subscription.key}`, `${subscription.key}/edit`]) {
      await page.goto(`${service.url()}/console/subscriptions/${path}`);
      await page.getByRole('form').waitFor();
      if (path !== 'new') await resultOf(page).getByRole('heading').waitFor();
      expect([path, await axeViolations(page)]).toEqual([path, []]);
      expect([path, await harmDone(page)]).toEqual([path, { hasRun: false, isTooWide: false }]);
    }
  });
});
