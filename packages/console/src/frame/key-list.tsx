// The keys of the console, on `?`.

import { Button } from '../elements/button.tsx';
import { Dialog } from '../elements/dialog.tsx';
import { hasScope } from '../session/session.ts';
import { rail } from './page-table.ts';

const keys: readonly (readonly [string, string])[] = [
  ['j, k', 'Next row, previous row'],
  ['o or Enter', 'Open the row'],
  ['Escape', 'Close the panel'],
  ['r', 'Send the notification again'],
  ['/', 'Search'],
  ['?', 'This list'],
];

export function KeyList({ onClose }: { onClose(): void }) {
  const jumps = rail
    .filter(({ scope }) => hasScope(scope))
    .map(({ key, title }) => [`g ${key}`, `Go to ${title}`] as const);
  return (
    <Dialog title="Keys" onClose={onClose} actions={<Button onClick={onClose}>Close</Button>}>
      <dl class="keys">
        {[...keys, ...jumps].map(([key, what]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
