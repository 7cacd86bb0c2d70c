// Where in a JSON value objects and lists stand, so that the script engine can freeze them without listing the members of each
// object: there that takes longer than parsing does. Values of one type have the same plan, however long their lists are.

/**
 * What to do with an object or a list:
 * - 0: it holds no others that hold any, freeze what is named and be done;
 * - 1: look at all members, all the way down;
 * - else the plan of a list's items, then names of members, each followed by its plan. Not every value has them all.
 *
 * Names come once, and none is inherited with an object: whatever value a plan is used for, it meets nothing twice.
 */
export type FreezePlan = 0 | 1 | readonly [items: FreezePlan, ...namesAndPlans: (string | FreezePlan)[]];

/** As JSON. */
export function freezePlanOf(value: unknown): string {
  const survey = new Survey();
  if (isHolder(value)) survey.visit(value);
  const text = JSON.stringify(survey.plan());
  return text.length > planCharactersMax ? '1' : text;
}

/** Beyond these, looking at all is the better plan: each object is asked for every name that one of its kind has. */
const namesMax = 40;
const planCharactersMax = 10_000;

/** Of all objects and lists at one place. */
class Survey {
  #items: Survey | undefined;
  readonly #members = new Map<string, Survey>();

  visit(value: object): void {
    if (Array.isArray(value)) {
      for (const item of value) if (isHolder(item)) this.#atItems().visit(item);
      return;
    }
    for (const name in value) {
      const member = (value as Record<string, unknown>)[name];
      if (isHolder(member)) this.#at(name).visit(member);
    }
  }

  plan(): FreezePlan {
    if (this.#members.size > namesMax || this.#members.has('__proto__')) return 1;
    if (!this.#items && this.#members.size === 0) return 0;
    const namesAndPlans = [...this.#members].flatMap(([name, survey]) => [name, survey.plan()]);
    return [this.#items?.plan() ?? 0, ...namesAndPlans];
  }

  #atItems(): Survey {
    this.#items ??= new Survey();
    return this.#items;
  }

  #at(name: string): Survey {
    const known = this.#members.get(name) ?? new Survey();
    this.#members.set(name, known);
    return known;
  }
}

function isHolder(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
