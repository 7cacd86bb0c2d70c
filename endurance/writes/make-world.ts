// Creates the objects that everything else in the run references.

import type { ServiceAnswers } from './service-answers.ts';
import type { World } from './write-request.ts';

export async function makeWorld(service: ServiceAnswers): Promise<World> {
  const create = async (path: string, body: object): Promise<number> => {
    const answer = await service.ask({ method: 'POST', path, body });
    if (answer.kind === 'lost' || answer.status !== 201)
      throw new Error(`${path} could not be created: ${JSON.stringify(answer)}`);
    return (answer.body as { key: number }).key;
  };
  // No such country, currency or grade exists, so these cannot collide with the reference data.
  await create('Port', { unLoCode: 'ZZEND', portName: 'Endurance' });
  await create('BusinessPartner', { businessPartnerCode: 'ENDURANCE' });
  await create('Currency', { currencyCode: 'ZZE', currencyName: 'Endurance' });
  await create('Commodity', { commodityCode: 'ENDURANCE' });
  await create('BunkerType', { bunkerTypeCode: 'ENDURANCE' });
  return {
    port: 'ZZEND',
    partner: 'ENDURANCE',
    currency: 'ZZE',
    commodity: 'ENDURANCE',
    bunkerType: 'ENDURANCE',
    vessel: await create('Vessel', { vesselName: 'Endurance' }),
  };
}
