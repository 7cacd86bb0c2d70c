// The draft of an editor: kept in the tab while it differs from what is saved, and leaving it asks.

import { useEffect, useState } from 'preact/hooks';
import { confirmAction } from '../../../elements/dialog.tsx';
import { guardLeaving } from '../../../routing/location.ts';
import type { Draft } from './draft.ts';
import { forgetDraft, keepDraft, readDraft } from './kept-draft.ts';

export interface EditedDraft {
  draft: Draft;
  change(part: Partial<Draft>): void;
  isChanged: boolean;
  /** Whether the draft comes from before a reload. */
  isRestored: boolean;
  /** Back to what is saved. */
  discard(): void;
  /** After saving: nothing asks any more. */
  finish(): void;
}

export function useDraft(place: string, saved: Draft): EditedDraft {
  const [kept] = useState(() => readDraft(place, saved));
  const [draft, setDraft] = useState(kept ?? saved);
  const [isRestored, setRestored] = useState(kept !== undefined);
  const [isFinished, setFinished] = useState(false);
  const isChanged = !isFinished && JSON.stringify(draft) !== JSON.stringify(saved);

  useEffect(() => {
    if (isChanged) keepDraft(place, draft);
    else forgetDraft(place);
  }, [place, draft, isChanged]);

  useEffect(() => {
    if (!isChanged) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    const endGuard = guardLeaving(async () => {
      const isConfirmed = await confirmAction({
        title: 'Leave without saving',
        text: 'What you changed here is lost.',
        action: 'Leave',
      });
      if (isConfirmed) forgetDraft(place);
      return isConfirmed;
    });
    return () => {
      window.removeEventListener('beforeunload', warn);
      endGuard();
    };
  }, [place, isChanged]);

  return {
    draft,
    change: (part) => setDraft((before) => ({ ...before, ...part })),
    isChanged,
    isRestored,
    discard: () => {
      setDraft(saved);
      setRestored(false);
    },
    finish: () => {
      forgetDraft(place);
      setFinished(true);
    },
  };
}
