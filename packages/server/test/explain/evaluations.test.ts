// Dry runs and decisions show how the expression was evaluated, and name what decided. The values are those of the
// change, whatever has been changed since.

import { beforeAll, describe, expect, test } from 'vitest';
import { subscribe } from '../match/heard.ts';
import { createFleet, createVoyage, type Fleet, type Shown } from '../support/fleet.ts';
import { useTestService } from '../support/test-service.ts';
import { decidedBy } from './decided.ts';
import { dryRunsOf } from './dry-runs.ts';

const service = useTestService();
const { tried } = dryRunsOf(service);
const { decisionsAt } = decidedBy(service);
const url = 'https://agent.example/hook';
let fleet: Fleet;
let voyage: Shown;
beforeAll(async () => {
  fleet = await createFleet(service);
  voyage = await createVoyage(service, fleet, { freight: 100, comments: 'as planned' });
});

const change = async (path: string, body: object) => {
  const answer = await service.put(`/ws/rest/${path}`, body);
  expect(answer.status, answer.text).toBe(200);
};

interface Part {
  text: string;
  value: string | null;
  error: string | null;
  isDecisive: boolean;
  children: Part[];
}

/** The values of the parts, by their text. */
function valuesIn({ text, value, children }: Part): Record<string, string | null> {
  return Object.assign({ [text]: value }, ...children.map(valuesIn));
}

describe('a dry run', () => {
  const dryRun = (expression: string, more: object = {}) =>
    tried({ subscription: { eventType: 'Voyage.U', url, expression, ...more }, objectKey: voyage.key });

  test('names what decided, and has the value of each part', async () => {
    const { reason, message, evaluation } = await dryRun('voyageStatus = NOM AND freight > old.freight AND isTc');
    expect([reason, message]).toEqual([
      'EXPRESSION_FALSE',
      'The expression was false: freight > old.freight with freight = 100.0 and old.freight = 100.0.',
    ]);
    expect(valuesIn(evaluation)).toEqual({
      'voyageStatus = NOM AND freight > old.freight AND isTc': 'false',
      'voyageStatus = NOM': 'true',
      voyageStatus: '"NOM"',
      'freight > old.freight': 'false',
      freight: '100.0',
      'old.freight': '100.0',
      isTc: null,
    });
  });

  test('shows the evaluation of what would be sent, too', async () => {
    const { isNotified, evaluation } = await dryRun('svcObject.getPortCalls().size() == 2');
    const keys = voyage.portCalls.map(({ key }: Shown) => `PortCall ${key}`);
    expect([isNotified, valuesIn(evaluation)]).toEqual([
      true,
      {
        'svcObject.getPortCalls().size() == 2': 'true',
        'svcObject.getPortCalls().size()': '2',
        'svcObject.getPortCalls()': `[${keys.join(', ')}]`,
      },
    ]);
  });

  test('shows where an expression failed', async () => {
    const { message, evaluation } = await dryRun(
      'svcObject.getFreight() > 1 && svcObject.getBallastPort().getPortName().isEmpty()',
    );
    const failed: Part = evaluation.children[1].children[0];
    expect(failed).toMatchObject({
      text: 'svcObject.getBallastPort().getPortName()',
      value: null,
      isDecisive: true,
      error: 'NullPointerException: ballastPort is null, so "portName" cannot be read (line 1, column 58).',
    });
    expect(message).toContain(failed.error);
    expect(failed.children).toMatchObject([{ text: 'svcObject.getBallastPort()', value: 'null' }]);
  });

  test('is null where none was evaluated', async () => {
    expect((await dryRun('isTc', { eventType: 'Voyage.D', expression: null })).evaluation).toBe(null);
    const other = { subscription: { eventType: 'Voyage.D', url, expression: 'isTc' }, objectKey: voyage.key };
    expect(await tried({ ...other, operation: 'U' })).toMatchObject({ reason: 'ANOTHER_OPERATION', evaluation: null });
  });

  test('is bounded for a hostile expression', async () => {
    const calls = 'svcObject.getPortCalls().stream()';
    const nested = Array.from({ length: 4 }, (_, at) => `${calls}.allMatch(p${at} -> `).join('');
    const chain = Array.from({ length: 150 }, (_, at) => `freight != ${at + 1000}`).join(' AND ');
    for (const expression of [
      `${nested}p0.getKey() != p3.getKey()${')'.repeat(4)} && svcObject.isTc()`,
      chain,
      `svcObject.getComments()${'.concat(svcObject.getComments())'.repeat(80)}.isEmpty()`,
    ]) {
      const { evaluation } = await dryRun(expression);
      expect(JSON.stringify(evaluation).length).toBeLessThan(200_000);
    }
  });
});

describe('decisions', () => {
  test('name what decided, with the values that the change left, whatever came later', async () => {
    const expression = 'freight > old.freight';
    const subscription = await subscribe(service, { eventType: `Voyage.U.${voyage.key}`, expression });
    for (const freight of [90, 120, 80]) await change(`Voyage/${voyage.key}`, { freight });
    const decisions = await decisionsAt(`${subscription}/decisions?limit=3`);
    expect(decisions.map(({ message }) => message)).toEqual([
      'The expression was false: freight > old.freight with freight = 80.0 and old.freight = 120.0.',
      'A notification was created.',
      'The expression was false: freight > old.freight with freight = 90.0 and old.freight = 100.0.',
    ]);
    expect(decisions.map(({ evaluation }) => valuesIn(evaluation as unknown as Part)[expression])).toEqual([
      'false',
      'true',
      'false',
    ]);
  });

  test('show the object that changed', async () => {
    const expression = 'changedObject.getSpeed() > oldChangedObject.getSpeed()';
    const subscription = await subscribe(service, { eventType: `Voyage.U.${voyage.key}`, expression });
    const [call] = voyage.portCalls;
    await change(`PortCall/${call.key}`, { speed: 10.5 });
    await change(`PortCall/${call.key}`, { speed: 9.5 });
    const [slower, first] = await decisionsAt(`${subscription}/decisions`);
    expect(slower!.message).toBe(
      'The expression was false: changedObject.getSpeed() > oldChangedObject.getSpeed() with ' +
        'changedObject.getSpeed() = 9.5 and oldChangedObject.getSpeed() = 10.5.',
    );
    expect(first).toMatchObject({ reason: 'EXPRESSION_ERROR', evaluation: { error: expect.stringContaining('null') } });
  });

  test('have no evaluation where it disagrees with the record: the expression was changed', async () => {
    const subscription = await subscribe(service, { eventType: `Voyage.U.${voyage.key}`, expression: 'freight < 0' });
    await change(`Voyage/${voyage.key}`, { comments: 'late' });
    await decisionsAt(`${subscription}/decisions`);
    await change(`WebhookSubscription/${subscription}`, { expression: 'freight > 0' });
    expect(await decisionsAt(`${subscription}/decisions?limit=1`)).toMatchObject([
      { reason: 'EXPRESSION_FALSE', message: 'The expression was false.', evaluation: null },
    ]);
  });

  test('of the newest twenty that had an expression have one', async () => {
    const plain = await subscribe(service, { eventType: `Voyage.U.${voyage.key}` });
    const subscription = await subscribe(service, { eventType: `Voyage.U.${voyage.key}`, expression: 'freight < 0' });
    for (let times = 0; times < 22; times += 1) await change(`Voyage/${voyage.key}`, { freight: 200 + times });
    const evaluations = (await decisionsAt(`${subscription}/decisions?limit=22`)).map(
      ({ evaluation }) => evaluation !== null,
    );
    expect(evaluations).toEqual([...Array(20).fill(true), false, false]);
    const unconditional = (await decisionsAt(`${plain}/decisions`)).map(({ evaluation }) => evaluation);
    expect(new Set(unconditional)).toEqual(new Set([null]));
  });
});
