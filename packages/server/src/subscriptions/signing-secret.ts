// Reads the signing secret that a new subscription brings along. No message repeats it.

import type { JsonObject } from '../json/parse-json.ts';
import type { ObjectType } from '../model/object-type.ts';
import { checkScalar } from '../objects/check-scalar.ts';
import type { Mistake } from '../objects/mistake.ts';

export interface TakenSecret {
  /** The body without the secret. */
  body: JsonObject;
  /** Undefined: the service creates the secret, or keeps the one of the subscription that is replaced. */
  signingSecret: string | undefined;
  mistakes: Mistake[];
}

/** `isSaved`: whether the subscription exists already. Its secret is replaced by an action, never by a PUT. */
export function takeSigningSecret(sent: JsonObject, type: ObjectType, isSaved: boolean): TakenSecret {
  const attribute = type.shownOnce.find(({ name }) => name === attributeName);
  const value = sent.get(attributeName);
  if (value === undefined || !attribute) return { body: sent, signingSecret: undefined, mistakes: [] };
  const body = new Map(sent);
  body.delete(attributeName);
  if (isSaved)
    return rejected(body, 'cannot be changed here: POST rotateSecret gives the subscription another secret.');
  const checked = checkScalar(attribute, value);
  if (!checked.isGood) return rejected(body, checked.mistake);
  return { body, signingSecret: checked.value ?? undefined, mistakes: [] };
}

const attributeName = 'signingSecret';

function rejected(body: JsonObject, message: string): TakenSecret {
  return { body, signingSecret: undefined, mistakes: [{ name: attributeName, message }] };
}
