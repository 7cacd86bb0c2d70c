// Runs inside the script engine, as text: parses the inputs of scripts and freezes them by a plan. The function must
// not refer to anything outside itself.

import type { FreezePlan } from './freeze-plan.ts';

export function makeFreezer() {
  // Local names are resolved faster than global ones.
  const { isArray } = Array;
  const { freeze: lock, keys } = Object;
  const { parse } = JSON;
  let frozen = 0;

  function freeze(value: object, plan: FreezePlan): object {
    if (plan === 1) return freezeAll(value);
    frozen++;
    if (plan === 0) return lock(value);
    if (isArray(value)) {
      for (let n = 0, end = value.length, items = plan[0]; n < end; n++) freezeMember(value[n], items);
    } else {
      for (let n = 1, end = plan.length; n < end; n += 2)
        freezeMember((value as Record<string, unknown>)[plan[n] as string], plan[n + 1] as FreezePlan);
    }
    return lock(value);
  }

  function freezeMember(member: unknown, plan: FreezePlan): void {
    if (typeof member !== 'object' || member === null) return;
    freeze(member, plan);
  }

  function freezeAll(value: object): object {
    frozen++;
    const names = keys(value);
    for (let n = 0; n < names.length; n++) {
      const member = (value as Record<string, unknown>)[names[n]!];
      if (typeof member === 'object' && member !== null) freezeAll(member);
    }
    return lock(value);
  }

  return {
    readPlan: (text: string): FreezePlan => parse(text),
    /** Parses a JSON text and freezes the value by the plan. */
    parse(text: string, plan: FreezePlan): unknown {
      const value = parse(text);
      frozen = 0;
      return typeof value === 'object' && value !== null ? freeze(value, plan) : value;
    },
    freeze,
    /** How many objects and lists were frozen since the last `parse` began. */
    countFrozen: () => frozen,
  };
}
