// The built-in object types, declared in the same form as the types of an operator's model file.

import type { TypeDeclaration } from '../object-type.ts';
import { access } from './access.ts';
import { bunkerOrders } from './bunker-orders.ts';
import { cargoes } from './cargoes.ts';
import { documents } from './documents.ts';
import { masterData } from './master-data.ts';
import { voyages } from './voyages.ts';
import { webhooks } from './webhooks.ts';

export const catalogue: Record<string, TypeDeclaration> = {
  ...voyages,
  ...cargoes,
  ...bunkerOrders,
  ...documents,
  ...masterData,
  ...access,
  ...webhooks,
};
