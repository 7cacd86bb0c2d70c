// What an entry of the audit log changed: each attribute with its value before and after.

import { Button } from '../../elements/button.tsx';
import { Dialog } from '../../elements/dialog.tsx';
import { Time } from '../../elements/time.tsx';
import type { AuditEntry } from './audit-entry.ts';

export function ChangesDialog({ entry, onClose }: { entry: AuditEntry; onClose(): void }) {
  const changes = Object.entries(entry.changes ?? {});
  return (
    <Dialog
      title={`${entry.objectType} ${entry.objectName ?? entry.objectKey ?? ''}`}
      onClose={onClose}
      actions={<Button onClick={onClose}>Close</Button>}
    >
      <p>
        {entry.userCode ?? 'SQL'}
        {entry.clientId && ` with ${entry.clientId}`}, <Time at={entry.createdDate} absolute />
      </p>
      {changes.length === 0 ? (
        <p class="faint">No attributes were recorded.</p>
      ) : (
        <table class="plain">
          <thead>
            <tr>
              <th scope="col">Attribute</th>
              <th scope="col">Before</th>
              <th scope="col">After</th>
            </tr>
          </thead>
          <tbody>
            {changes.map(([name, [before, after]]) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td class="mono">{valueText(before)}</td>
                <td class="mono">{valueText(after)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Dialog>
  );
}

function valueText(value: unknown): string {
  if (value === null || value === undefined) return '–';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
