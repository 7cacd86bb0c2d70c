// The last changes, each with whether it matches and, if not, why.

import { useEffect, useRef, useState } from 'preact/hooks';
import { Check } from '../../../../elements/field.tsx';
import { Time } from '../../../../elements/time.tsx';
import { changeKey, type RecentChange } from './use-recent.ts';

interface RecentChangesProps {
  changes: readonly RecentChange[];
  /** The key of the change that is shown below. */
  chosen: string;
  onChoose(key: string): void;
}

export function RecentChanges({ changes, chosen, onChoose }: RecentChangesProps) {
  const [showsMatches, setShowsMatches] = useState(false);
  const list = useRef<HTMLUListElement>(null);
  const matches = changes.filter(({ isMatch }) => isMatch);
  const isMixed = matches.length > 0 && matches.length < changes.length;
  // The page itself does not move.
  useEffect(() => {
    const item = list.current?.querySelector<HTMLElement>('[aria-pressed="true"]')?.parentElement;
    if (item) list.current!.scrollTop = Math.max(0, item.offsetTop - list.current!.clientHeight / 2);
  }, [changes, showsMatches]);
  return (
    <>
      <ul class="recent-changes" ref={list}>
        {(isMixed && showsMatches ? matches : changes).map((change) => (
          <li key={changeKey(change)}>
            <ChangeButton
              change={change}
              isChosen={changeKey(change) === chosen}
              onChoose={() => onChoose(changeKey(change))}
            />
          </li>
        ))}
      </ul>
      {isMixed && <Check label="Only those that match" isChecked={showsMatches} onChange={setShowsMatches} />}
    </>
  );
}

const reasonWords: Readonly<Record<string, string>> = {
  ONLY_MAIN_OBJECT: 'not the object itself',
  OWN_CHANGE: 'own change',
  OBJECT_DELETED: 'object deleted',
  EXPRESSION_FALSE: 'expression false',
  EXPRESSION_ERROR: 'expression failed',
  SCRIPT_FALSE: 'script says no',
  SCRIPT_ERROR: 'script failed',
  STYLESHEET_ERROR: 'stylesheet failed',
  BODY_TOO_LARGE: 'body too large',
  NOT_RUN: 'not tried',
};

interface ChangeButtonProps {
  change: RecentChange;
  isChosen: boolean;
  onChoose(): void;
}

function ChangeButton({ change, isChosen, onChoose }: ChangeButtonProps) {
  const { event, name, objectKey, occurredAt, isMatch, reason } = change;
  return (
    <button type="button" aria-pressed={isChosen} onClick={onChoose}>
      <span class={isMatch ? 'ok' : 'faint'}>
        <span aria-hidden="true">{isMatch ? '✓' : '✕'}</span>
        <span class="hidden">{isMatch ? 'matches' : 'does not match'}</span>
      </span>
      <span class="recent-name">
        <span class="mono">{event}</span> {name ?? objectKey}
      </span>
      <span class={reasonClass(reason)}>{reasonWords[reason] ?? <Time at={occurredAt} />}</span>
    </button>
  );
}

function reasonClass(reason: string): string {
  return reason.endsWith('ERROR') || reason === 'BODY_TOO_LARGE' ? 'bad' : 'faint';
}
