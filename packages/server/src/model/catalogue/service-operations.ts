// The table of the operations that belong to no object type. To add one, declare it here, and give the composition root
// its handler.

import {
  buildServiceOperation,
  type ServiceOperation,
  type ServiceOperationDeclaration,
} from '../service-operation.ts';
import { readChanges } from './changes-operation.ts';
import { changeDemoFleet, readInstallation } from './installation-operations.ts';
import { openLiveFeed } from './live-operation.ts';
import { readModel } from './model-operation.ts';

/**
 * By name, which is also the `operationId`. Names begin with a verb that no operation of a type begins with, so not with
 * `list`, `get`, `create`, `update` or `delete`: an operator's type may have any name.
 */
const declarations: Record<string, ServiceOperationDeclaration> = {
  readChanges,
  readModel,
  openLiveFeed,
  readInstallation,
  changeDemoFleet,
};

export const serviceOperations: readonly ServiceOperation[] = Object.entries(declarations).map(([name, declaration]) =>
  buildServiceOperation(name, declaration),
);
