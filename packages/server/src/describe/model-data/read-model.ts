// `GET /ws/rest/model`: the model as data, as the caller sees it.

import { entryOf } from '../../entry-of.ts';
import type { Model } from '../../model/object-type.ts';
import { scopesNeeded } from '../../model/scopes.ts';
import type { OperationCall, OperationHandler } from '../../objects/action-call.ts';
import { describeType } from './describe-type.ts';

export function readModel(): OperationHandler {
  return async ({ model, scopes }) => entryOf(rendered, model, () => render({ model, scopes }));
}

/** Callers with the same version and scopes have the same model. */
const rendered = new WeakMap<Model, string>();

function render({ model, scopes }: Pick<OperationCall, 'model' | 'scopes'>): string {
  const types = [...model.types.values()].filter(({ access }) =>
    scopesNeeded(access.read).every((one) => scopes.has(one)),
  );
  return JSON.stringify({ types: types.map((type) => describeType(type, { model, scopes })) });
}
