// Users and clients by code, for commands and the demo fleet: through the same object operations as REST, so the same
// checks apply.

import { quoteText } from '@flaghoist/source-text';
import { OperatorError } from '../../errors.ts';
import type { JsonValue } from '../../json/parse-json.ts';
import type { Model, ObjectType } from '../../model/object-type.ts';
import type { Caller } from '../../objects/caller.ts';
import type { Objects } from '../../objects/objects.ts';
import { parseListRequest } from '../../query/list-request.ts';
import { objectsMax } from '../../query/page.ts';
import type { QueryParameter } from '../../query/query-parameter.ts';
import { wholeView } from '../../query/view.ts';

export interface AccessObjects {
  objects: Objects;
  model: Model;
  caller: Caller;
}

export interface ShownUser {
  key: number;
  userCode: string;
  name: string;
  email: string | null;
  edition: string;
  apiVersion: string | null;
  active: boolean;
}

export interface ShownClient {
  key: number;
  clientId: string;
  user: { userCode: string };
  scopes: string[];
  audiences: string[];
  active: boolean;
  secretDate: string | null;
  /** Present only when the client was just created. */
  clientSecret?: string;
}

interface Shown {
  ApiUser: ShownUser;
  ApiClient: ShownClient;
}

/** The types that have a code. */
type Coded = keyof Shown;

/** Undefined values are not sent. */
type Attributes = Record<string, JsonValue | undefined>;

export async function createObject<N extends Coded>(
  { objects, model, caller }: AccessObjects,
  name: N,
  attributes: Attributes,
): Promise<Shown[N]> {
  const type = model.types.get(name)!;
  const request = { type, body: bodyOf(attributes), view: wholeView(type), caller, idempotency: undefined };
  return JSON.parse((await objects.create(request)).body);
}

export async function changeObject<N extends Coded>(
  { objects, model, caller }: AccessObjects,
  name: N,
  key: number,
  attributes: Attributes,
): Promise<Shown[N]> {
  const type = model.types.get(name)!;
  const request = { type, key, body: bodyOf(attributes), view: wholeView(type), caller, ifMatch: undefined };
  return JSON.parse((await objects.change(request)).body.toString());
}

/** All objects of the type, ordered by code. */
export async function listObjects<N extends Coded>(access: AccessObjects, name: N): Promise<Shown[N][]> {
  const type = access.model.types.get(name)!;
  const found: Shown[N][] = [];
  for (let page: Shown[N][] | undefined; page === undefined || page.length === objectsMax; found.push(...page)) {
    page = await list<Shown[N]>(access, type, [
      ['filter', `key(GTE)${(found.at(-1)?.key ?? 0) + 1}`],
      ['sort', 'key(AS)'],
      ['limit', String(objectsMax)],
    ]);
  }
  const codeOf = (object: Shown[N]) => String(object[type.code!.name as keyof Shown[N]]);
  return found.sort((one, other) => (codeOf(one) < codeOf(other) ? -1 : 1));
}

export async function findObject<N extends Coded>(access: AccessObjects, name: N, code: string): Promise<Shown[N]> {
  const found = await lookForObject(access, name, code);
  if (found) return found;
  const word = { ApiUser: 'user', ApiClient: 'client' }[name];
  throw new OperatorError(
    `There is no ${word} ${quoteText(code)}. "flaghoist ${word} list" lists the ${word}s that exist.`,
  );
}

export async function lookForObject<N extends Coded>(
  access: AccessObjects,
  name: N,
  code: string,
): Promise<Shown[N] | undefined> {
  const type = access.model.types.get(name)!;
  const quoted = `"${code.replaceAll(/["\\]/g, '\\$&')}"`;
  const [found] = await list<Shown[N]>(access, type, [['filter', `${type.code!.name}(EQ)${quoted}`]]);
  return found;
}

async function list<T>({ objects }: AccessObjects, type: ObjectType, query: QueryParameter[]): Promise<T[]> {
  const request = { ...parseListRequest(type, query, { noCount: 'YES' }), view: wholeView(type) };
  return JSON.parse((await objects.list(request)).body.toString());
}

function bodyOf(attributes: Attributes): Map<string, JsonValue> {
  return new Map(Object.entries(attributes).filter((entry): entry is [string, JsonValue] => entry[1] !== undefined));
}
