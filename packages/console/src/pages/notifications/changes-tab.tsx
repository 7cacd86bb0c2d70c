// What has changed: each attribute with its old and new value.

import { Empty } from '../../elements/loading.tsx';
import { objectPath } from '../../elements/object-link.tsx';
import { Link } from '../../routing/link.tsx';
import type { AttributeChange, Notification } from './notification.ts';

export function ChangesTab({ notification: { changes, eventType, objectKey } }: { notification: Notification }) {
  if (changes === null) return <Empty>The change is no longer kept.</Empty>;
  if (changes.length === 0) return <Empty>No attribute has another value than before.</Empty>;
  const hasSeveral = changes.some((change) => change.objectKey !== objectKey);
  return (
    <table class="plain changes">
      <thead>
        <tr>
          {hasSeveral && <th scope="col">Object</th>}
          <th scope="col">Attribute</th>
          {eventType !== 'C' && <th scope="col">Old</th>}
          {eventType !== 'D' && <th scope="col">New</th>}
        </tr>
      </thead>
      <tbody>
        {changes.map((change) => (
          <tr key={`${change.objectKey} ${change.attribute}`}>
            {hasSeveral && (
              <td>
                <Link to={objectPath(change.objectType, change.objectKey)}>
                  {change.objectType} {change.objectKey}
                </Link>
              </td>
            )}
            <th scope="row">{change.attribute}</th>
            {eventType !== 'C' && <td class="mono old">{valueText(change.old)}</td>}
            {eventType !== 'D' && <td class="mono new">{valueText(change.new)}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** A reference is shown by its key. */
function valueText(value: AttributeChange['old']): string {
  if (value === null || value === undefined) return '–';
  if (typeof value !== 'object') return String(value);
  if ('text' in value && typeof value.text === 'string') return value.text;
  if ('key' in value && 'self' in value) return String(value.key);
  return JSON.stringify(value);
}
