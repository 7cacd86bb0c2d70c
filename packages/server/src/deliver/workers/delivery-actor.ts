// Who changes something when delivery does, not a user.

import type { Actor } from '../../database/database.ts';

export const deliveryActor: Actor = { userKey: undefined, client: 'delivery' };
