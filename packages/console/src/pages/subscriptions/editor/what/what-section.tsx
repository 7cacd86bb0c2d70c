// What a subscription covers: types of objects, operations, one object or all, and whose changes.

import { Button } from '../../../../elements/button.tsx';
import { Check } from '../../../../elements/field.tsx';
import { type EventRow, emptyRow, eventTypesOf } from '../../draft/draft.ts';
import type { EditorForm } from '../../draft/form.ts';
import { CoveredHierarchy } from './covered-hierarchy.tsx';
import { EventRowFields } from './event-row-fields.tsx';

export function WhatSection({ form }: { form: EditorForm }) {
  const { draft, change, errorOf, isSaved, isReplacing } = form;
  const isFixed = isSaved || isReplacing;
  const setRow = (index: number, row: EventRow | undefined) =>
    change({ events: draft.events.flatMap((each, at) => (at === index ? (row ?? []) : each)) });
  return (
    <>
      {isFixed ? (
        <p>
          {eventTypesOf(draft.events).map((text) => (
            <code key={text} class="fixed-value">
              {text}
            </code>
          ))}{' '}
          <span class="faint">{isSaved ? 'Fixed' : 'As of the subscription that is replaced'}</span>
        </p>
      ) : (
        draft.events.map((row, index) => (
          <EventRowFields
            key={index}
            form={form}
            row={row}
            onChange={(changed) => setRow(index, changed)}
            onRemove={draft.events.length > 1 ? () => setRow(index, undefined) : undefined}
          />
        ))
      )}
      {errorOf('eventTypes') && <p class="field-error">{errorOf('eventTypes')}</p>}
      {!isFixed && draft.events.some(({ objectType }) => objectType !== '') && (
        <Button kind="quiet" onClick={() => change({ events: [...draft.events, emptyRow] })}>
          + Another type
        </Button>
      )}
      <CoveredHierarchy form={form} />
      <Check
        label="Only changes to the object itself"
        hint="not to what belongs to it"
        isChecked={draft.onlyMainObject}
        onChange={(onlyMainObject) => change({ onlyMainObject })}
        disabled={isSaved}
      />
      <Check
        label="Not my own changes"
        hint="those that the user of the subscription makes"
        isChecked={draft.notSendMyChanges}
        onChange={(notSendMyChanges) => change({ notSendMyChanges })}
        disabled={isSaved}
      />
    </>
  );
}
