// Keeps a draft in the tab, so that it survives a reload. Secrets are never kept.

import { session } from '../../../session/session.ts';
import { type Draft, noSecrets } from './draft.ts';

interface Kept {
  user: number | undefined;
  draft: Draft;
}

const hidden = '***';

function nameOf(place: string): string {
  return `flaghoist.draft ${place}`;
}

/** `place`: the address of the editor. */
export function keepDraft(place: string, draft: Draft): void {
  const headers = draft.headers.map(({ name, value }) => ({ name, value: value === hidden ? value : '' }));
  const kept: Kept = { user: session.peek()?.user.key, draft: { ...draft, headers, secrets: noSecrets } };
  try {
    sessionStorage.setItem(nameOf(place), JSON.stringify(kept));
  } catch {
    // Without storage, or over its limit, a draft is lost by a reload.
  }
}

export function forgetDraft(place: string): void {
  try {
    sessionStorage.removeItem(nameOf(place));
  } catch {
    // Without storage there is no draft.
  }
}

/** Undefined if there is none, or if it is another user's. */
export function readDraft(place: string, shape: Draft): Draft | undefined {
  try {
    const kept = JSON.parse(sessionStorage.getItem(nameOf(place)) ?? 'null') as Kept | null;
    if (!kept || kept.user !== session.peek()?.user.key) return undefined;
    // A draft of an older console may lack fields.
    return { ...shape, ...kept.draft };
  } catch {
    return undefined;
  }
}
