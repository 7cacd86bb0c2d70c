// The user whose view an administrator looks at.

import { signal } from '@preact/signals';

export interface ViewedUser {
  key: number;
  name: string;
  /** Of all active clients of the user: the service answers as it would to a client with these. */
  scopes: readonly string[];
}

export const viewedUser = signal<ViewedUser | undefined>(undefined);
