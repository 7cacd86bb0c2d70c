// JSON as a tree whose branches open and close.

import { ExactNumber } from '../service/exact-json.ts';
import './json-tree.css';

/** Branches of the first levels are open. Long ones are closed. */
const openDepth = 2;
const openMembersMax = 40;

export function JsonTree({ value }: { value: unknown }) {
  return (
    <div class="json-tree mono">
      <Members value={value as object} depth={0} />
    </div>
  );
}

function Members({ value, depth }: { value: object; depth: number }) {
  return (
    <ul>
      {Object.entries(value).map(([name, member]) => (
        <li key={name}>
          <Member name={name} value={member} depth={depth} />
        </li>
      ))}
    </ul>
  );
}

function Member({ name, value, depth }: { name: string; value: unknown; depth: number }) {
  if (!isBranch(value))
    return (
      <span class="leaf">
        <span class="json-name">{name}</span> <Leaf value={value} />
      </span>
    );
  const count = Object.keys(value).length;
  const words = Array.isArray(value) ? `${count} ${count === 1 ? 'element' : 'elements'}` : summary(value);
  return (
    <details open={depth < openDepth && count <= openMembersMax}>
      <summary>
        <span class="json-name">{name}</span> <span class="faint">{words}</span>
      </summary>
      <Members value={value} depth={depth + 1} />
    </details>
  );
}

function isBranch(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !(value instanceof ExactNumber);
}

/** What tells one object from another, while it is closed. */
function summary(value: object): string {
  return Object.entries(value)
    .filter(([name, member]) => name !== 'self' && (typeof member === 'string' || typeof member === 'number'))
    .slice(0, 3)
    .map(([, member]) => String(member).slice(0, 40))
    .join(' · ');
}

function Leaf({ value }: { value: unknown }) {
  if (typeof value === 'string') return <span class="json-text">{value === '' ? '""' : value}</span>;
  return <span class="json-other">{value === null ? 'null' : String(value)}</span>;
}
