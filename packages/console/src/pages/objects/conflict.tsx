// Somebody else has changed the object while it was edited: what both have, and the choice.

import { Button } from '../../elements/button.tsx';
import { Loading } from '../../elements/loading.tsx';
import type { ModelType } from '../../model/model.ts';
import { useLoaded } from '../../service/use-loaded.ts';
import { referenceName } from './draft.ts';
import { loadObject, type WholeObject } from './load-object.ts';

interface ConflictProps {
  type: ModelType;
  /** As it was when the edit began. */
  object: WholeObject;
  changes: Readonly<Record<string, unknown>>;
  onOverwrite(): Promise<void>;
  onDiscard(): void;
}

export function Conflict({ type, object, changes, onOverwrite, onDiscard }: ConflictProps) {
  const loaded = useLoaded((signal) => loadObject(type, object.key, signal), [object.key]);
  return (
    <div class="failure" role="alert">
      <p>Somebody else has changed this object meanwhile. Nothing has been saved.</p>
      <Loading of={loaded}>
        {({ object: now }) => (
          <table class="plain">
            <thead>
              <tr>
                <th scope="col">Attribute</th>
                <th scope="col">Before</th>
                <th scope="col">Now</th>
                <th scope="col">Yours</th>
              </tr>
            </thead>
            <tbody>
              {differing(type, object, now, changes).map((name) => (
                <tr key={name}>
                  <th scope="row">{name}</th>
                  <td>{shown(object[name])}</td>
                  <td>{shown(now[name])}</td>
                  <td>{name in changes ? shown(changes[name]) : ''}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </Loading>
      <div class="actions">
        <Button onClick={onOverwrite}>Save mine on top</Button>
        <Button onClick={onDiscard}>Discard mine</Button>
      </div>
    </div>
  );
}

function differing(type: ModelType, before: WholeObject, now: WholeObject, changes: Readonly<Record<string, unknown>>) {
  return type.attributes
    .filter(({ name, kind }) => kind !== 'collection' && (shown(before[name]) !== shown(now[name]) || name in changes))
    .map(({ name }) => name)
    .filter((name) => name !== 'modifiedDate' && name !== 'changedById');
}

function shown(value: unknown): string {
  if (value === null || value === undefined) return '–';
  if (typeof value === 'object' && 'key' in value) return referenceName(value);
  return String(value);
}
