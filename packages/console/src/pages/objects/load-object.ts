// Reads a whole object with its sub-objects, and the ETag that a change of it needs.

import type { ObjectReference } from '../../elements/object-link.tsx';
import type { ModelType } from '../../model/model.ts';
import { requestAnswer } from '../../service/request.ts';

export type WholeObject = ObjectReference;

export interface ReadObject {
  object: WholeObject;
  etag: string;
}

export async function loadObject(type: ModelType, key: number, signal?: AbortSignal): Promise<ReadObject> {
  const { value, headers } = await requestAnswer<WholeObject>(`/${type.name}/${key}`, { signal });
  return { object: value, etag: headers.get('etag') ?? '' };
}
