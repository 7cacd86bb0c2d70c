// The attributes of an object as a tree to tick. What is behind a reference or in a collection is shown when it is
// opened.

import { useEffect, useRef, useState } from 'preact/hooks';
import type { Model, ModelAttribute, ModelType } from '../../../../model/model.ts';
import { type Selection, setTick, tickAt } from '../../draft/selection.ts';

interface SelectionTreeProps {
  model: Model;
  type: ModelType;
  selection: Selection;
  onChange(selection: Selection): void;
}

export function SelectionTree({ model, type, selection, onChange }: SelectionTreeProps) {
  return (
    <div class="selection-tree">
      <Attributes
        model={model}
        type={type}
        path={[]}
        selection={selection}
        onTick={(path, isTicked) => onChange(setTick(selection, path, isTicked))}
      />
    </div>
  );
}

interface Place {
  model: Model;
  path: readonly string[];
  selection: Selection;
  onTick(path: readonly string[], isTicked: boolean): void;
}

function Attributes({ type, ...place }: Place & { type: ModelType }) {
  return (
    <ul>
      {selectable(type).map((attribute) => (
        <AttributeItem key={attribute.name} {...place} attribute={attribute} path={[...place.path, attribute.name]} />
      ))}
    </ul>
  );
}

/** Key and self always come along. Files are never part of a notification. */
function selectable({ attributes }: ModelType): ModelAttribute[] {
  const possible = attributes.filter(
    ({ name, kind, isWriteOnly }) => name !== 'key' && name !== 'self' && kind !== 'binary' && !isWriteOnly,
  );
  const [own, ofEveryType] = [false, true].map((isOfEvery) =>
    possible.filter(({ name }) => attributesOfEveryType.has(name) === isOfEvery),
  );
  return [...own!, ...ofEveryType!];
}

const attributesOfEveryType = new Set([
  ...['createdDate', 'modifiedDate', 'createdById', 'changedById', 'externalObjectKey', 'remarks'],
]);

function AttributeItem({ attribute, ...place }: Place & { attribute: ModelAttribute }) {
  const { model, path, selection, onTick } = place;
  const { name, description, reference, element } = attribute;
  const tick = tickAt(selection, path);
  const target = model.byName.get(reference ?? element ?? '');
  const [isOpen, setOpen] = useState(tick === 'some');
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    box.current!.indeterminate = tick === 'some';
  }, [tick]);
  return (
    <li>
      <div class="selection-line">
        {target ? (
          <button
            type="button"
            class="opener"
            aria-expanded={isOpen}
            aria-label={`Attributes of ${name}`}
            onClick={() => setOpen(!isOpen)}
          >
            <span aria-hidden="true">{isOpen ? '▾' : '▸'}</span>
          </button>
        ) : (
          <span class="opener" />
        )}
        <label title={description}>
          <input
            ref={box}
            type="checkbox"
            checked={tick === 'all'}
            onChange={(event) => onTick(path, event.currentTarget.checked)}
          />
          <span class="mono">{name}</span>
          {target && (
            <span class="faint">
              {element ? 'list of ' : ''}
              {target.name}
            </span>
          )}
        </label>
      </div>
      {isOpen && target && <Attributes {...place} type={target} />}
    </li>
  );
}
