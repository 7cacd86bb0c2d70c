// The changes of an object and of what is below it: who, when, old and new values, and how many were notified.

import { useState } from 'preact/hooks';
import { AttributeValue } from '../../elements/attribute-value.tsx';
import { Button } from '../../elements/button.tsx';
import { Check } from '../../elements/field.tsx';
import { Empty, Loading } from '../../elements/loading.tsx';
import { ObjectName } from '../../elements/object-link.tsx';
import { Time } from '../../elements/time.tsx';
import type { Model, ModelType } from '../../model/model.ts';
import { Link } from '../../routing/link.tsx';
import { place, setQuery } from '../../routing/location.ts';
import { request } from '../../service/request.ts';
import { useLoaded } from '../../service/use-loaded.ts';
import { hasScope } from '../../session/session.ts';

export interface ObjectChange {
  id: number;
  event: string;
  objectType: string;
  objectKey: number;
  name: string | null;
  occurredAt: string;
  user: { key: number; userCode: string | null } | null;
  client: string | null;
  changedAttributes: { name: string; old: unknown; new: unknown }[];
  notificationCount: number;
}

interface Changes {
  changes: ObjectChange[];
  next: number | null;
}

interface ObjectHistoryProps {
  type: ModelType;
  model: Model;
  objectKey: number;
}

export function ObjectHistory({ type, model, objectKey }: ObjectHistoryProps) {
  const hierarchy = place.value.query.get('below') !== 'no';
  const [older, setOlder] = useState<Changes[]>([]);
  const read = (before: number | undefined, signal?: AbortSignal) => {
    const query = { objectType: type.name, objectKey, hierarchy, before };
    return request<Changes>('/changes', { query, signal });
  };
  const loaded = useLoaded(
    (signal) => {
      setOlder([]);
      return read(undefined, signal);
    },
    [type.name, objectKey, hierarchy],
  );
  return (
    <>
      <div class="toolbar">
        <Check
          label="With what is below it"
          isChecked={hierarchy}
          onChange={(isChecked) => setQuery({ below: isChecked ? undefined : 'no' }, { replace: true })}
        />
      </div>
      <Loading of={loaded}>
        {(first) => {
          const pages = [first, ...older];
          const changes = pages.flatMap((page) => page.changes);
          const next = pages.at(-1)!.next;
          return (
            <>
              {changes.length === 0 && <Empty>No change of this object is kept.</Empty>}
              <ol class="history">
                {changes.map((change) => (
                  <ShownChange key={change.id} change={change} model={model} isSelf={change.objectKey === objectKey} />
                ))}
              </ol>
              {next !== null && (
                <Button onClick={async () => setOlder([...older, await read(next)])}>Show older changes</Button>
              )}
            </>
          );
        }}
      </Loading>
    </>
  );
}

const operations: Readonly<Record<string, string>> = { C: 'created', U: 'changed', D: 'deleted' };

interface ShownChangeProps {
  change: ObjectChange;
  model: Model;
  isSelf: boolean;
}

function ShownChange({ change, model, isSelf }: ShownChangeProps) {
  const { event, objectType, objectKey, occurredAt, user, client, changedAttributes } = change;
  const type = model.byName.get(objectType);
  const kindOf = (name: string) => type?.attributes.find((attribute) => attribute.name === name);
  return (
    <li>
      <p>
        <Time at={occurredAt} /> <strong>{user?.userCode ?? client ?? 'SQL'}</strong> {operations[event.split('.')[1]!]}{' '}
        {isSelf ? 'it' : <ObjectName type={objectType} objectKey={objectKey} />}
        {hasScope('webhook') && ' · '}
        {hasScope('webhook') && <Notified change={change} />}
      </p>
      <table class="plain">
        <tbody>
          {changedAttributes.map(({ name, old, new: value }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>
                <del>
                  <AttributeValue attribute={kindOf(name) ?? { kind: 'text' }} value={old} />
                </del>
              </td>
              <td>
                <ins>
                  <AttributeValue attribute={kindOf(name) ?? { kind: 'text' }} value={value} />
                </ins>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </li>
  );
}

function Notified({ change: { id, objectType, objectKey, notificationCount } }: { change: ObjectChange }) {
  if (notificationCount > 0) return <Link to={`/notifications?sequence=${id}`}>{notificationCount} notified</Link>;
  return <Link to={`/why-not?change=${id}&type=${objectType}&object=${objectKey}`}>nobody notified: why?</Link>;
}
