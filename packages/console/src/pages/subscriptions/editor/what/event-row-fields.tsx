// One type of objects that a subscription covers, with its operations, and one object or all.

import { useId } from 'preact/hooks';
import { Button } from '../../../../elements/button.tsx';
import { Choice, Field } from '../../../../elements/field.tsx';
import { ReferenceField } from '../../../../elements/reference-field.tsx';
import type { Model, ModelType } from '../../../../model/model.ts';
import { type EventRow, operationsOn } from '../../draft/draft.ts';
import type { EditorForm } from '../../draft/form.ts';
import { type Operation, operations, operationWords } from '../../event-type.ts';

interface EventRowFieldsProps {
  form: EditorForm;
  row: EventRow;
  onChange(row: EventRow): void;
  /** Undefined for the only row. */
  onRemove: (() => void) | undefined;
}

export function EventRowFields({ form: { model }, row, onChange, onRemove }: EventRowFieldsProps) {
  const type = model.byName.get(row.objectType);
  return (
    <div class="event-row">
      <TypeChoice
        model={model}
        value={row.objectType}
        onChange={(objectType) => onChange({ ...row, objectType, isOne: false, objectKey: '' })}
      />
      <OperationToggles row={row} onChange={onChange} />
      {type && <OneObject type={type} row={row} onChange={onChange} />}
      {onRemove && (
        <Button kind="quiet" onClick={onRemove} label={`Remove ${row.objectType || 'this type'}`}>
          Remove
        </Button>
      )}
    </div>
  );
}

/** Types that belong to another one are listed below it. */
function TypeChoice({ model, value, onChange }: { model: Model; value: string; onChange(name: string): void }) {
  const types = model.types.filter(({ makesEvents }) => makesEvents);
  const mains = types.filter(({ isMain }) => isMain);
  const parts = (name: string): ModelType[] =>
    types.filter(({ owner }) => owner === name).flatMap((type) => [type, ...parts(type.name)]);
  return (
    <Field label="Type of objects">
      {(ids) => (
        <select {...ids} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
          <option value="" disabled>
            Choose a type
          </option>
          {mains.map((main) => (
            <TypeOptions key={main.name} main={main} parts={parts(main.name)} chosen={value} />
          ))}
          <option value="*" selected={value === '*'}>
            Every type
          </option>
        </select>
      )}
    </Field>
  );
}

function TypeOptions({ main, parts, chosen }: { main: ModelType; parts: ModelType[]; chosen: string }) {
  return (
    <>
      <option value={main.name} selected={main.name === chosen}>
        {main.name}
      </option>
      {parts.map(({ name, owner }) => (
        <option key={name} value={name} selected={name === chosen}>
          {name}, of {owner}
        </option>
      ))}
    </>
  );
}

function OperationToggles({ row, onChange }: Pick<EventRowFieldsProps, 'row' | 'onChange'>) {
  const id = useId();
  const possible = operationsOn(row);
  const toggle = (operation: Operation) =>
    onChange({
      ...row,
      operations: operations.filter((each) => (each === operation) !== row.operations.includes(each)),
    });
  return (
    <div class="field">
      <span class="label" id={id}>
        When it is
      </span>
      <div class="toggles" role="group" aria-labelledby={id}>
        {operations.map((operation) => (
          <button
            key={operation}
            type="button"
            class="button"
            aria-pressed={row.operations.includes(operation) && possible.includes(operation)}
            disabled={!possible.includes(operation)}
            onClick={() => toggle(operation)}
          >
            {operationWords[operation]}
          </button>
        ))}
      </div>
    </div>
  );
}

function OneObject({ type, row, onChange }: { type: ModelType } & Pick<EventRowFieldsProps, 'row' | 'onChange'>) {
  return (
    <>
      <Choice
        label="Which"
        value={row.isOne ? 'ONE' : 'ALL'}
        choices={[
          { value: 'ALL', label: `Every ${type.name}` },
          { value: 'ONE', label: `One ${type.name}` },
        ]}
        onChange={(choice) => onChange({ ...row, isOne: choice === 'ONE', objectKey: '' })}
      />
      {row.isOne && (
        <ReferenceField
          label={type.label}
          hint="Search by key, code, name or number."
          error={undefined}
          type={type}
          value={row.objectKey}
          onInput={(objectKey) => onChange({ ...row, objectKey })}
        />
      )}
    </>
  );
}
