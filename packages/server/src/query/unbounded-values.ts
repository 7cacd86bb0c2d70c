// Determines which attributes hold values without a maximum length, and how much of them a view can show. Only the
// limits on request bodies bound such a value.

import type { ObjectType } from '../model/object-type.ts';
import type { View, ViewItem } from './view.ts';

/** A type of the catalogue has at most 7 values without a maximum length. */
const ordinaryMegabytesMax = 8;

/** The default limits on request bodies, in megabytes. */
const bodyMegabytes = 1;
const fileBodyMegabytes = 16;

export function showsLargeValues(view: View): boolean {
  return mostMegabytes(view) > ordinaryMegabytesMax;
}

export function isUnbounded({ attribute }: ViewItem): boolean {
  switch (attribute.kind) {
    case 'text':
    case 'json':
      return attribute.maxLength === undefined;
    case 'binary':
    case 'textList':
      return true;
    default:
      return false;
  }
}

/** The most megabytes of the object's own values and of those behind its references. Collections do not count. */
export function mostMegabytes(view: View): number {
  const each = holdsFiles(view.type) ? fileBodyMegabytes : bodyMegabytes;
  const megabytes = view.items.map((item) => {
    if (item.kind === 'reference') return mostMegabytes(item.view);
    return isUnbounded(item) ? each : 0;
  });
  return megabytes.reduce((sum, most) => sum + most, 0);
}

/** Request bodies of these types may have 16 MB, because the types hold files or own types that hold files. */
function holdsFiles(type: ObjectType): boolean {
  return (
    type.scalars.some(({ kind }) => kind === 'binary') ||
    type.collections.some(({ of, isOwned }) => isOwned && holdsFiles(of))
  );
}
