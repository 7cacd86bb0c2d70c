// Pending notifications of a backup are sent once by the restored installation, if the original is stopped.

import { expect, test } from 'vitest';
import { useTestDatabase } from '../support/test-database.ts';
import { useTestService } from '../support/test-service.ts';
import { useFolder } from './installations.ts';
import { expectBalanced, moveWithPending } from './pending-ledger.ts';

const original = useTestService({ FLAGHOIST_ROLES: 'api' });
const target = useTestDatabase({ isMigrated: false });
const folder = useFolder();

test('each notification is received exactly once, from the original or from the restored installation', async () => {
  const ledger = await moveWithPending({ original, target, folder }, 300, 30_000);
  expect(ledger.byOriginal).toHaveLength(30);
  expectBalanced(ledger);
}, 120_000);
