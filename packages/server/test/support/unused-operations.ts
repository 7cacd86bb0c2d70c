// Handlers for servers whose tests call no operation without a type.

import { serviceOperations } from '../../src/model/catalogue/service-operations.ts';

export const unusedOperations: ReadonlyMap<string, () => Promise<never>> = new Map(
  serviceOperations.map(({ name }) => [
    name,
    async () => {
      throw new Error(`${name} is not part of this test.`);
    },
  ]),
);
