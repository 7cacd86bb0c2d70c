// Bodies that share a content are claimed, resent and replayed by other processes with the same bytes.

import { expect, test } from 'vitest';
import { openBeside, startBeside } from '../auth/service-beside.ts';
import { useTestService } from '../support/test-service.ts';
import { ended, resent } from './failed-notifications.ts';
import { startHooks, subscribeTo } from './hooks.ts';
import { replayed } from './replays.ts';
import { storedBodies } from './shared-contents.ts';

const installation = { FLAGHOIST_BASE_URL: 'http://flaghoist.test' };
const service = useTestService({ ...installation, FLAGHOIST_ROLES: 'api' });
const { pool } = service.database;
const worker = { ...installation, FLAGHOIST_ROLES: 'worker' };
