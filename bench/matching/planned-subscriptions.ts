// The subscriptions of the matching benchmark, as plans: which orders, under which condition, with which selection.
// Pure.

export interface PlannedSubscription {
  /** `*`: every type. */
  objectType: string;
  operation: 'C' | 'U' | 'D' | '*';
  /** Null: all objects of the type. */
  objectKey: number | null;
  /** Event types besides the one above. */
  further?: readonly string[];
  isRaw: boolean;
  expression: string | null;
  /** A field selection, as JSON. */
  selection: string | null;
}

export interface ChangedAndOthers {
  /** Keys of the bunker orders that change. */
  changed: readonly number[];
  /** Keys of orders that do not. */
  others: readonly number[];
}

export const matchesPerEvent = 10;

/**
 * Ten matches per change. A hundred subscriptions cannot have ten per order, so there all ten are for all orders.
 * Otherwise two are for all orders, and eight are for one order each, with distinct conditions and selections. Of the
 * ten, one is for every type, and one for every operation. The rest are for other orders, operations and types, some by
 * wildcards.
 */
export function planGrowth(count: number, orders: ChangedAndOthers): PlannedSubscription[] {
  const { changed } = orders;
  const isByKey = count > changed.length * (matchesPerEvent - matchingAll);
  const forAll = isByKey ? matchingAll : matchesPerEvent;
  const [plain, ...others] = kinds.slice(0, forAll).map((_, kind) => planOfKind(kind, typicalVariant, null));
  const planned: PlannedSubscription[] = [{ ...plain!, objectType: '*' }, ...others];
  if (isByKey)
    changed.forEach((key, variant) => {
      for (let kind = matchingAll; kind < matchesPerEvent; kind += 1) planned.push(planOfKind(kind, variant, key));
    });
  for (let n = 0; planned.length < count; n += 1) planned.push(planElsewhere(n, orders.others));
  return planned;
}

export function hasWildcard({ objectType, operation }: PlannedSubscription): boolean {
  return objectType === '*' || operation === '*';
}

/** One per change, all by key, and as many that match nothing. */
export function planBacklog(count: number, { changed, others }: ChangedAndOthers): PlannedSubscription[] {
  const planned = changed.map((key, n) => planOfKind(n % kinds.length, n, key));
  for (let n = 0; planned.length < count; n += 1) planned.push(planElsewhere(n, others));
  return planned;
}

/** What the subscriptions have besides `BunkerOrder.U.<key>`, or instead of it. All name the same object type. */
const memoryForms: Readonly<Record<MemoryForm, (key: number) => Partial<PlannedSubscription>>> = {
  'one event type': () => ({}),
  'three event types': (key) => ({ further: [`BunkerOrder.D.${key}`, `BunkerOrder.U.${key + anotherOrder}`] }),
  'a wildcard': () => ({ operation: '*' }),
};

/** Beyond all keys that are used otherwise. */
const anotherOrder = 10_000_000;

export type MemoryForm = 'one event type' | 'three event types' | 'a wildcard';

/** Each for another order (from 1 on; the orders need not exist), with this many distinct conditions and selections. */
export function planMemory(count: number, distinct: number, form: MemoryForm): PlannedSubscription[] {
  return Array.from({ length: count }, (_, n) => ({
    ...planOfKind(0, 0, n + 1),
    ...memoryForms[form](n + 1),
    expression: expressions[n % expressions.length]!(n % distinct),
    // With another step, so that the same condition comes with different selections.
    selection: selectionOf((n * 7 + Math.floor(n / distinct)) % distinct),
  }));
}

/** How many of the ten are always for all orders. */
const matchingAll = 2;

/** Selections differ a little in size; this one is in the middle. */
const typicalVariant = 5_000;

/** True for every change of the benchmark. The number makes each text distinct. */
const expressions: readonly ((variant: number) => string)[] = [
  (v) => `svcObject.getBunkerOrderStatus().equals("ORD") && svcObject.getExtraCost() > -${v}.5`,
  (v) => `.bunkerOrderStatus = ORD && extraCost > -${v}.25`,
  (v) => `svcObject.getExtraCost() > oldSvcObject.getExtraCost() && svcObject.getVessel().getDwtSummer() > ${v}.0`,
  (v) => `svcObject.getBunkerOrderLines().stream().anyMatch(line -> line.getUnitPrice() > -${v}.0)`,
];

/** Besides the key: nothing, a wildcard, a condition, a selection, or both. */
const kinds: readonly { expression?: number; isSelecting?: true; isRaw?: true; isOfEveryOperation?: true }[] = [
  {},
  { expression: 0 },
  { isOfEveryOperation: true },
  { isRaw: true },
  {},
  { expression: 1 },
  { expression: 2 },
  { isSelecting: true },
  { isSelecting: true, isRaw: true },
  { expression: 3, isSelecting: true },
];

function planOfKind(kind: number, variant: number, objectKey: number | null): PlannedSubscription {
  const { expression, isSelecting = false, isRaw = false, isOfEveryOperation = false } = kinds[kind]!;
  return {
    objectType: 'BunkerOrder',
    operation: isOfEveryOperation ? '*' : 'U',
    objectKey,
    isRaw,
    expression: expression === undefined ? null : expressions[expression]!(variant),
    selection: isSelecting ? selectionOf(variant * kinds.length + kind) : null,
  };
}

function planElsewhere(n: number, others: readonly number[]): PlannedSubscription {
  const key = others[n % others.length]!;
  const plan = planOfKind(n % kinds.length, n % distinctElsewhere, key);
  switch (n % 4) {
    case 0:
      return n % 8 === 0 ? { ...plan, ...unshaped, objectType: '*', operation: 'D' } : { ...plan, operation: 'D' };
    case 1:
      return n % 8 === 1
        ? { ...plan, ...unshaped, objectType: 'Voyage', operation: '*' }
        : { ...plan, ...unshaped, objectType: 'Voyage', objectKey: key };
    default:
      return plan;
  }
}

/** For all objects, whatever their type. */
const unshaped = { objectKey: null, expression: null, selection: null };

const distinctElsewhere = 10_000;

const orderFields = [
  'createdDate',
  'modifiedDate',
  'createdById',
  'changedById',
  'externalObjectKey',
  'bunkerOrderStatus',
  'externalReferenceNo',
  'bunkeredDate',
  'exchangeRate',
  'extraCost',
];
const lineFields = ['createdDate', 'minQuantity', 'maxQuantity', 'bunkeredQuantity', 'extraCost'];
const vesselFields = ['flag', 'builtYear'];

/** Half of the available fields, and always some of the vessel and of the lines. */
function selectionOf(variant: number): string {
  const mask = masks[variant % masks.length]!;
  const picked = (fields: readonly string[], from: number) =>
    Object.fromEntries(fields.filter((_, index) => mask & (1 << (from + index))).map((name) => [name, '*']));
  return JSON.stringify({
    ...picked(orderFields, 0),
    bunkerOrderLines: { unitPrice: '*', ...picked(lineFields, orderFields.length) },
    vessel: { vesselName: '*', ...picked(vesselFields, orderFields.length + lineFields.length) },
  });
}

/** All choices of 8 out of 17, of which there are 24,310. */
const masks = Array.from({ length: 1 << 17 }, (_, mask) => mask).filter((mask) => countBits(mask) === 8);

function countBits(mask: number): number {
  return mask.toString(2).replaceAll('0', '').length;
}
