// Records where a JSON value contains objects and lists, so that the script engine can freeze them without listing
// members. In the engine, listing the members of every object takes longer than parsing: without plans, the row "one
// script" of `npm run bench sandbox engines` falls by about a third. Values of one type have the same plan, however
// long their lists are.

/**
 * What to do with an object or a list:
 * - 0: it contains no other object or list; freeze it alone;
 * - 1: visit all members, at every level;
 * - otherwise: the plan of a list's items, then names of members, each followed by its plan. A value may lack some.
 *
 * Names are unique, and none of them finds an inherited object. So a plan visits nothing twice, whatever the value is.
 */
export type FreezePlan = 0 | 1 | readonly [items: FreezePlan, ...namesAndPlans: (string | FreezePlan)[]];

/** Returns the plan as JSON. */
export function freezePlanOf(value: unknown): string {
  const survey = new Survey();
  if (isHolder(value)) survey.visit(value);
  const text = JSON.stringify(survey.plan());
  return text.length > planCharactersMax ? '1' : text;
}

/** Beyond these limits, visiting all members is faster: a plan looks up every known name in each object. */
const namesMax = 40;
const planCharactersMax = 10_000;

/** Collects all objects and lists at one position. */
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
