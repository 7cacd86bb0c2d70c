// Ten thousand pending notifications are moved to another server.

import { expect, test } from 'vitest';
import { useTestService } from '../support/test-service.ts';
import { useFreshServer } from './fresh-server.ts';
import { useFolder } from './installations.ts';
import { expectBalanced, moveWithPending } from './pending-ledger.ts';

const original = useTestService({ FLAGHOIST_ROLES: 'api' });
const target = useFreshServer();
const folder = useFolder();

test('each of 11,000 is received exactly once, 10,000 of them from the restored installation', async () => {
  const ledger = await moveWithPending({ original, target, folder }, 10_000, 180_000);
  expect(ledger.byOriginal).toHaveLength(1_000);
  expect(ledger.byRestored).toHaveLength(10_000);
  expectBalanced(ledger);
}, 600_000);
