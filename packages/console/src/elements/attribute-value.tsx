// The value of an attribute, as its kind is best read.

import type { ModelAttribute } from '../model/model.ts';
import { Copied } from './copied.tsx';
import { ObjectLink, type ObjectReference } from './object-link.tsx';
import { Time } from './time.tsx';

interface AttributeValueProps {
  attribute: Pick<ModelAttribute, 'kind' | 'reference'>;
  value: unknown;
}

export function AttributeValue({ attribute: { kind, reference }, value }: AttributeValueProps) {
  if (value === null || value === undefined || value === '') return <span class="faint">–</span>;
  if (kind === 'reference') return <ObjectLink type={reference!} object={value as ObjectReference} />;
  if (kind === 'dateTime') return <Time at={String(value)} absolute />;
  if (kind === 'boolean') return <span>{value ? 'yes' : 'no'}</span>;
  if (kind === 'key') return <Copied text={String(value)} />;
  if (kind === 'collection') return <span class="faint">{(value as unknown[]).length}</span>;
  if (typeof value === 'object' && kind !== 'decimal') return <code>{JSON.stringify(value)}</code>;
  return <span>{String(value)}</span>;
}

export const numberKinds: ReadonlySet<string> = new Set(['integer', 'decimal']);
