// A thousand clients that go away. Other clients that use connections badly: connections.test.ts.

import { beforeAll, test } from 'vitest';
import { create } from '../support/fleet.ts';
import { useTestService } from '../support/test-service.ts';
import { leaveNothingBehind } from './leaving-clients.ts';
import { describeUnharmed } from './unharmed.ts';

const service = useTestService();
beforeAll(() => create(service, 'Vessel', { vesselName: 'Line Holder' }));

test('1,000 clients that go away, in every way, leave no socket behind', async () => {
  await leaveNothingBehind(service, 10);
});

describeUnharmed(service);
