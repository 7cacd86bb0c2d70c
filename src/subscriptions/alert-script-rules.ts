// What holds for an AlertScript beyond the model: it compiles, the declared parameters are the ones it uses, and it stays as long as
// subscriptions use it.

import { LRUCache } from 'lru-cache';
import type { Transaction } from '../database/database.ts';
import { ApiError, type Violation } from '../errors.ts';
import type { ScriptSandbox } from '../filters/script/script-sandbox.ts';
import { type UsedParameters, usedParameters } from '../filters/script/used-parameters.ts';
import type { JsonValue } from '../json/parse-json.ts';
import { joinPath } from '../objects/check-body.ts';
import type { StoredValue } from '../objects/check-scalar.ts';
import type { HeldRow, TypeRules } from '../objects/type-rules.ts';
import { whileBusy } from './check-in-sandbox.ts';
import type { Mistake } from './normalise-event-type.ts';
import { checkParameters } from './script-parameters.ts';
import { selectIsUsed } from './script-table.ts';

export interface AlertScriptRulesParts {
  sandbox: Pick<ScriptSandbox, 'check'>;
  scriptBytesMax: number;
}

export function alertScriptRules(given: AlertScriptRulesParts): TypeRules {
  const parts = { ...given, uses: new LRUCache<string, UsedParameters>({ max: bodiesRemembered }) };
  return {
    foresee: (body) => foreseeBodies(body, parts),
    complete: ({ columns: sent, path }) => ({
      columns: new Map(),
      shownOnce: new Map(),
      violations: violationsAt(
        path,
        checkParts((column) => sent.get(column) ?? null, usesOf(parts, sent)),
      ),
    }),
    held: {
      columns: ['body', 'parameters', 'fields'],
      change: ({ columns: sent, path }, present) => ({
        columns: new Map(),
        violations: violationsAt(
          path,
          checkParts((column) => pick(sent, present, column), usesOf(parts, sent, present)),
        ),
        statements: [],
      }),
      delete: refuseDeletion,
    },
  };
}

/** What was just checked is asked for again under the lock. */
const bodiesRemembered = 100;

interface Checking extends AlertScriptRulesParts {
  /** By body: parsing one takes long, and is done in a thread. */
  uses: LRUCache<string, UsedParameters>;
}

async function foreseeBodies(given: JsonValue, parts: Checking): Promise<Violation[]> {
  const elements: [JsonValue, string][] = Array.isArray(given)
    ? given.map((element, index) => [element, `[${index}]`])
    : [[given, '']];
  const violations: Violation[] = [];
  for (const [element, path] of elements) violations.push(...(await foreseeBody(element, path, parts)));
  return violations;
}

async function foreseeBody(
  given: JsonValue,
  place: string,
  { sandbox, scriptBytesMax, uses }: Checking,
): Promise<Violation[]> {
  const body = given instanceof Map ? given.get('body') : undefined;
  if (typeof body !== 'string') return [];
  const path = joinPath(place, 'body');
  const length = Buffer.byteLength(body);
  if (length > scriptBytesMax)
    return [{ path, message: `may have at most ${scriptBytesMax} bytes; this has ${length}.` }];
  const checked = await whileBusy(sandbox.check(body));
  if (checked.kind === 'fits') {
    uses.set(body, checked.uses);
    return [];
  }
  const { line, column, message } = checked;
  const where = line === undefined ? '' : `Line ${line}${column === undefined ? '' : `, column ${column}`}: `;
  return [{ path, message: `${where}${message}` }];
}

function pick(sent: ReadonlyMap<string, StoredValue>, present: HeldRow, column: string): string | null {
  return (sent.has(column) ? sent.get(column) : present.get(column)) ?? null;
}

/** Undefined where the body does not compile, which is told elsewhere. */
function usesOf(
  { uses }: Checking,
  sent: ReadonlyMap<string, StoredValue>,
  present?: HeldRow,
): UsedParameters | undefined {
  const body = sent.get('body');
  if (body != null) return uses.get(body);
  const before = present?.get('body');
  return before == null ? undefined : (uses.get(before) ?? usedParameters(before));
}

function checkParts(valueAt: (column: string) => string | null, used: UsedParameters | undefined): Mistake[] {
  const { parameters, mistakes } = checkParameters(valueAt('parameters'));
  const fields = valueAt('fields');
  const isSelection = fields === null || fields === 'null' || fields.trimStart().startsWith('{');
  const declared = parameters.map(({ name }) => name);
  return [
    ...mistakes,
    ...(mistakes.length > 0 || !used ? [] : compareParameters(used, declared)),
    ...(isSelection ? [] : [{ name: 'fields', message: 'must be an object: a field selection.' }]),
  ];
}

function compareParameters({ names, isOpen }: UsedParameters, declared: readonly string[]): Mistake[] {
  const undeclared = names.filter((name) => !declared.includes(name));
  const unused = isOpen ? [] : declared.filter((name) => !names.includes(name));
  return [
    ...undeclared.map((name) => ({
      name: 'parameters',
      message: `the body uses parameters.${name}, which is not declared.`,
    })),
    ...unused.map((name) => ({ name: 'parameters', message: `${name} is declared, and the body does not use it.` })),
  ];
}

async function refuseDeletion(key: number, _: HeldRow, transaction: Transaction): Promise<void> {
  const [rows] = await transaction.run(selectIsUsed(key));
  const user = rows?.[0]?.key;
  if (user === undefined) return;
  throw new ApiError(
    'stillReferred',
    `AlertScript ${key} cannot be deleted: WebhookSubscription ${user} uses it. Give that another script, or unsubscribe it.`,
  );
}

function violationsAt(path: string, mistakes: readonly Mistake[]): Violation[] {
  return mistakes.map(({ name, message }) => ({ path: joinPath(path, name), message }));
}
