// The editor of one filter. What is chosen applies at once.

import { useEffect, useRef, useState } from 'preact/hooks';
import { Button } from '../../elements/button.tsx';
import { Check, TextField } from '../../elements/field.tsx';
import { loadModel } from '../../model/model.ts';
import { place, setQuery } from '../../routing/location.ts';
import { useLoaded } from '../../service/use-loaded.ts';
import { operationWords, statusWords } from './notification-filters.ts';
import { ObjectEditor } from './object-filter.tsx';
import { SubscriptionEditor } from './subscription-filter.tsx';
import { TimeEditor } from './time-filter.tsx';
import { toggleFilter } from './toggle-filter.ts';

export type FilterKind = 'status' | 'subscription' | 'type' | 'operation' | 'object' | 'change' | 'error' | 'time';

export const filterKinds: Readonly<Record<FilterKind, { title: string; hint: string; parameters: string[] }>> = {
  status: { title: 'Status', hint: 'failed, retrying …', parameters: ['status'] },
  subscription: { title: 'Subscription', hint: 'by name', parameters: ['subscription'] },
  type: { title: 'Type', hint: 'of the changed object', parameters: ['type'] },
  operation: { title: 'Event', hint: 'created, updated, deleted', parameters: ['operation'] },
  object: { title: 'Object', hint: 'by key, code or number', parameters: ['object', 'code'] },
  change: { title: 'Change', hint: 'by its sequence', parameters: ['sequence'] },
  error: { title: 'Error', hint: 'text in it', parameters: ['error'] },
  time: { title: 'Time', hint: 'last hour, from … to', parameters: ['last', 'from', 'to'] },
};

export function FilterEditor({ kind, onDone }: { kind: FilterKind; onDone(): void }) {
  const frame = useRef<HTMLDivElement>(null);
  // In the menu, the entry that was clicked is gone.
  useEffect(() => {
    frame.current?.querySelector<HTMLElement>('input, select, button')?.focus();
  }, []);
  return (
    <div class="filter-editor" ref={frame}>
      {editorOf(kind, onDone)}
    </div>
  );
}

function editorOf(kind: FilterKind, onDone: () => void) {
  switch (kind) {
    case 'status':
      return <Checks parameter="status" choices={statusWords} />;
    case 'operation':
      return <Checks parameter="operation" choices={operationWords} />;
    case 'type':
      return <TypeEditor />;
    case 'subscription':
      return <SubscriptionEditor />;
    case 'object':
      return <ObjectEditor onDone={onDone} />;
    case 'change':
      return <TextEditor parameter="sequence" label="Sequence of the change" placeholder="1009" onDone={onDone} />;
    case 'error':
      return <TextEditor parameter="error" label="Text in the error" placeholder="refused, 503 …" onDone={onDone} />;
    case 'time':
      return <TimeEditor onDone={onDone} />;
  }
}

function Checks({ parameter, choices }: { parameter: string; choices: Readonly<Record<string, string>> }) {
  const chosen = place.value.query.getAll(parameter);
  return (
    <>
      {Object.entries(choices).map(([value, words]) => (
        <Check
          key={value}
          label={words}
          isChecked={chosen.includes(value)}
          onChange={(isChosen) => toggleFilter(parameter, value, isChosen)}
        />
      ))}
    </>
  );
}

function TypeEditor() {
  const model = useLoaded(loadModel, []);
  const types = (model.value?.types ?? []).filter(({ makesEvents }) => makesEvents);
  return <Checks parameter="type" choices={Object.fromEntries(types.map(({ name }) => [name, name]))} />;
}

interface TextEditorProps {
  parameter: string;
  label: string;
  placeholder: string;
  onDone(): void;
}

function TextEditor({ parameter, label, placeholder, onDone }: TextEditorProps) {
  const [text, setText] = useState(place.peek().query.get(parameter) ?? '');
  return (
    <form
      class="filter-form"
      onSubmit={(event) => {
        event.preventDefault();
        setQuery({ [parameter]: text.trim() });
        onDone();
      }}
    >
      <TextField label={label} value={text} onInput={setText} placeholder={placeholder} />
      <Button type="submit" kind="primary" onClick={() => undefined}>
        Filter
      </Button>
    </form>
  );
}
