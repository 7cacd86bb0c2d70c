// Objects of every type that makes events, and the remarks about them, with values that are easily rendered wrong.

import { bunkerOrderBody, cargoBody, create, createFleet, createVoyage, freshCode } from '../support/fleet.ts';
import type { TestService } from '../support/test-service.ts';

/** Quotes, backslashes, characters with and without short escapes, and those that only JavaScript treats specially. */
export const awkwardText = 'a"b\\c/d\b\f\n\r\t\u0001\u001f\u007f\u0085\u2028\u2029\ufeffé漢😀</script>\u0600';

export const awkwardDecimals = [
  '9999999999999999.99999999',
  '-1234567890123456.12345678',
  '0.00000001',
  '-0.00000012',
  '0.000001',
  '12345678.00000001',
  '12345678901234.56',
  '1234567890123456',
  '100000000000000.1',
  '0.1',
  '0',
  '-7',
  '512.50',
  '9007199254740993',
];

export async function createWorld(service: TestService): Promise<void> {
  const fleet = await createFleet(service);
  const { vessel, port, partner, currency, bunkerType } = fleet;
  const voyage = await createVoyage(service, fleet, { comments: awkwardText, isTc: false, cargos: [cargoBody(fleet)] });
  const put = (path: string, body: string) => service.put(`/ws/rest/${path}`, body);
  const names = ['daysTotal', 'daysLoading', 'milesBallast', 'freight', 'commission', 'foPrice'];
  for (const [index, decimal] of awkwardDecimals.entries()) {
    const { key } = await createVoyage(service, fleet, { estimatedVoyageStartDate: '2026-11-15T08:30:59' });
    await put(`Voyage/${key}`, `{"${names[index % names.length]}": ${decimal}, "freight": ${decimal}}`);
  }
  await create(service, 'Voyage', {});
  const [first, second] = voyage.portCalls;
  await put(`PortCall/${first.key}`, `{"portCallSequence": ${second.portCallSequence + 1}, "agent": ${partner.key}}`);
  const order = bunkerOrderBody(fleet, first.key);
  const lines = awkwardDecimals.slice(0, 4).map((minQuantity) => `{"minQuantity":${minQuantity}`);
  const line = `,"maxQuantity":1,"unitPrice":2,"bunkerType":${bunkerType.key}}`;
  const { key } = await create(service, 'BunkerOrder', {
    ...order,
    bunkerSupplier: partner.key,
    currency: currency.key,
  });
  await put(`BunkerOrder/${key}`, `{"bunkerOrderLines":[${lines.map((start) => start + line).join(',')}]}`);
  await create(service, 'Document', {
    documentType: 'INO',
    company: partner.key,
    voyage: voyage.key,
    documentText: awkwardText,
    documentLines: [{ lineText: awkwardText, amount: 1.5, voyage: voyage.key }, { lineText: '' }],
  });
  await create(service, 'Port', { unLoCode: freshCode('YY', 5), portName: awkwardText, timezone: '', isCanal: true });
  for (const source of [voyage.key, vessel.key, port.key, first.key, key])
    await create(service, 'Remarks', {
      source,
      remarkText: `${awkwardText} ${'0'.repeat(40)}`,
      attachments: [{ fileName: awkwardText, file: Buffer.alloc(200, source).toString('base64') }],
    });
}
