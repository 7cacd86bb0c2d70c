// The rules for AlertScript beyond the model. A script must compile, must declare the parameters that it uses, and
// cannot be deleted while subscriptions use it.

import type { UsedParameters } from '@flaghoist/script-sandbox';
import type { Run, Transaction } from '../database/database.ts';
import { ApiError } from '../errors.ts';
import type { Model } from '../model/object-type.ts';
import { subscriberModel } from '../model/subscriber-model.ts';
import type { CheckedBody } from '../objects/check-body.ts';
import type { StoredValue } from '../objects/check-scalar.ts';
import { type Mistake, violationsAt, withMistakes } from '../objects/mistake.ts';
import { valueAfter } from '../objects/object-change.ts';
import type { LockedRow, TypeRules } from '../objects/type-rules.ts';
import { checkScriptUsers } from './check-script-users.ts';
import { type PrecheckedScript, type PrecheckScriptsParts, precheckScripts } from './precheck-scripts.ts';
import { checkParameters } from './script-parameters.ts';
import { selectIsUsed } from './script-table.ts';

export interface AlertScriptRulesParts extends PrecheckScriptsParts {
  model: Model;
}

export function alertScriptRules(parts: AlertScriptRulesParts): TypeRules<PrecheckedScript[]> {
  const { types } = subscriberModel(parts.model);
  return {
    currentColumns: ['body', 'parameters', 'fields'],
    beforeTransaction: async (request) => {
      const prechecked = await precheckScripts(request, parts);
      return { prechecked, violations: prechecked.flatMap(({ violations }) => violations) };
    },
    create: ({ bodies, prechecked, check }) => ({
      objects: bodies.map(({ body, path }, index) => checkScript(check(body, path), prechecked[index]!, undefined)),
    }),
    change: ({ body, current, prechecked, check }) => {
      const { change, violations } = checkScript(check(body), prechecked[0]!, current);
      const inTransaction = async ({ run }: Transaction) => ({
        violations: violationsAt(change.path, await checkScriptUsers(change, current, run, types)),
      });
      return { change, violations, inTransaction };
    },
    delete: (key, _, { run }) => rejectIfUsed(key, run),
  };
}

/** `current`: undefined for a new script. */
function checkScript(
  checked: CheckedBody,
  { stored, uses }: PrecheckedScript,
  current: LockedRow | undefined,
): CheckedBody {
  if (stored !== undefined && stored !== current?.get('body'))
    throw new ApiError('busy', 'The body of the script was changed just now, by another request.');
  const valueAt = (column: string) => valueAfter(checked.change.columns, current, column);
  return withMistakes(checked, checkParts(valueAt('parameters'), valueAt('fields'), uses));
}

function checkParts(sent: StoredValue, fields: StoredValue, used: UsedParameters | undefined): Mistake[] {
  const { parameters, mistakes } = checkParameters(sent);
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

async function rejectIfUsed(key: number, run: Run): Promise<void> {
  const [rows] = await run(selectIsUsed(key));
  const user = rows?.[0]?.key;
  if (user === undefined) return;
  throw new ApiError(
    'stillReferred',
    `AlertScript ${key} cannot be deleted: WebhookSubscription ${user} uses it. Give that another script, or ` +
      'unsubscribe it.',
  );
}
