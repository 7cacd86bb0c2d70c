// The rules for AlertScript beyond the model. A script must compile, must declare the parameters that it uses, and
// cannot be deleted while subscriptions use it.

import type { UsedParameters } from '@flaghoist/script-sandbox';
import type { Run, Transaction } from '../database/database.ts';
import { ApiError, type Violation } from '../errors.ts';
import type { Model } from '../model/object-type.ts';
import { subscriberModel } from '../model/subscriber-model.ts';
import type { StoredValue } from '../objects/check-scalar.ts';
import { type Mistake, violationsAt } from '../objects/mistake.ts';
import type { ObjectChange } from '../objects/object-change.ts';
import type { LockedRow, TypeRules } from '../objects/type-rules.ts';
import { checkScriptUsers } from './check-script-users.ts';
import { type PrecheckedScripts, type PrecheckScriptsParts, precheckScripts } from './precheck-scripts.ts';
import { checkParameters } from './script-parameters.ts';
import { selectIsUsed } from './script-table.ts';

export interface AlertScriptRulesParts extends PrecheckScriptsParts {
  model: Model;
}

export function alertScriptRules(parts: AlertScriptRulesParts): TypeRules {
  const { types } = subscriberModel(parts.model);
  return {
    ...rulesKnowing(new Map(), types),
    precheck: async (request) => {
      const prechecked = await precheckScripts(request, parts);
      const violations = [...prechecked.values()].flatMap((script) => script.violations);
      return { violations, rules: rulesKnowing(prechecked, types) };
    },
  };
}

function rulesKnowing(prechecked: PrecheckedScripts, types: Model['types']): TypeRules {
  return {
    complete: ({ columns: sent, path }) => ({
      columns: new Map(),
      shownOnce: new Map(),
      violations: violationsAt(
        path,
        checkParts((column) => sent.get(column) ?? null, usesAt(prechecked, path)),
      ),
    }),
    locked: {
      columns: ['body', 'parameters', 'fields'],
      change: ({ columns: sent, path }, present) => ({
        columns: new Map(),
        violations: violationsAt(
          path,
          checkParts((column) => pick(sent, present, column), usesAt(prechecked, path, present)),
        ),
        statements: [],
      }),
      examine: (change, present, { run }) => examineChange(change, present, run, types),
      delete: refuseDeletion,
    },
  };
}

function pick(sent: ReadonlyMap<string, StoredValue>, present: LockedRow, column: string): string | null {
  return (sent.has(column) ? sent.get(column) : present.get(column)) ?? null;
}

function usesAt(prechecked: PrecheckedScripts, path: string, present?: LockedRow): UsedParameters | undefined {
  const script = prechecked.get(path);
  if (!script) throw new Error('A script is saved that was not looked at before.');
  const { stored, uses } = script;
  if (stored !== undefined && stored !== present?.get('body'))
    throw new ApiError('busy', 'The body of the script was changed just now, by another request.');
  return uses;
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

/** Examines only values that are changed and valid in themselves. */
async function examineChange(
  { columns: sent, path, key }: ObjectChange,
  present: LockedRow,
  run: Run,
  types: Model['types'],
): Promise<Violation[]> {
  const changed = (column: string) =>
    sent.has(column) && !isSameJson(sent.get(column) ?? null, present.get(column) ?? null);
  const { parameters, mistakes } = checkParameters(sent.get('parameters') ?? null);
  const fields = sent.get('fields');
  const script = {
    key: key!,
    types,
    parameters: changed('parameters') && mistakes.length === 0 ? parameters : undefined,
    fields: changed('fields') && fields?.trimStart().startsWith('{') ? fields : undefined,
  };
  return violationsAt(path, await checkScriptUsers(script, run));
}

function isSameJson(one: string | null, other: string | null): boolean {
  return JSON.stringify(JSON.parse(one ?? 'null')) === JSON.stringify(JSON.parse(other ?? 'null'));
}

async function refuseDeletion(key: number, _: LockedRow, transaction: Transaction): Promise<void> {
  const [rows] = await transaction.run(selectIsUsed(key));
  const user = rows?.[0]?.key;
  if (user === undefined) return;
  throw new ApiError(
    'stillReferred',
    `AlertScript ${key} cannot be deleted: WebhookSubscription ${user} uses it. Give that another script, or unsubscribe it.`,
  );
}
