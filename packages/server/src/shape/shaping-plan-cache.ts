// Caches the shaping plans of subscriptions. Loads them on demand, and again when they change. A script or stylesheet
// that many subscriptions use is loaded and cached once, by its version.

import { LRUCache } from 'lru-cache';
import type { Run } from '../database/database.ts';
import type { Model } from '../model/object-type.ts';
import { readPlan, readStylesheet, type ShapingPlan, type StylesheetPart } from './shaping-plan.ts';
import {
  type ShapingPlanRow,
  type ShapingPlanTexts,
  selectPlans,
  selectPlanVersions,
  type VersionRow,
} from './shaping-plan-table.ts';

/** In characters. A text that plans share is stored once, but counts in each of them. */
const plansLengthMax = 64_000_000;
const textsLengthMax = 64_000_000;
const textsMax = 2_000;

/** The body of a script, or a stylesheet. */
type Text = string | StylesheetPart;

export class ShapingPlanCache {
  readonly #types: Model['types'];
  /** By subscription key. */
  readonly #plans = new LRUCache<number, ShapingPlan>({ maxSize: plansLengthMax, sizeCalculation: planLength });
  /** By version. */
  readonly #texts = new LRUCache<string, Text>({ max: textsMax, maxSize: textsLengthMax, sizeCalculation: textLength });

  /** `types`: the object types as subscribers see them. */
  constructor(types: Model['types']) {
    this.#types = types;
  }

  /** The current plans by subscription key. A subscription that no longer exists has none. */
  async load(subscriptionKeys: readonly number[], run: Run): Promise<Map<number, ShapingPlan>> {
    const [versions = []] = await run(selectPlanVersions(subscriptionKeys));
    const plans = new Map<number, ShapingPlan>();
    const changed: number[] = [];
    for (const { key, version } of versions as unknown as VersionRow[]) {
      const cached = this.#plans.get(Number(key));
      if (cached?.version === version) plans.set(Number(key), cached);
      else changed.push(Number(key));
    }
    if (changed.length > 0) await this.#loadChanged(changed, plans, run);
    return plans;
  }

  async #loadChanged(subscriptionKeys: readonly number[], plans: Map<number, ShapingPlan>, run: Run): Promise<void> {
    // A copy: the cache may evict a text while others are added.
    const texts = new Map(this.#texts.entries());
    const [found = []] = await run(selectPlans(subscriptionKeys, [...texts.keys()]));
    const rows = found as unknown as (ShapingPlanRow & ShapingPlanTexts)[];
    const cache = (version: string, text: Text) => {
      this.#texts.set(version, text);
      texts.set(version, text);
    };
    for (const row of rows) {
      if (row.body !== null) cache(row.script_version!, row.body);
      if (row.xsl !== null) cache(row.xsl_version!, readStylesheet(row.xsl, row.xsl_version!));
    }
    for (const row of rows) {
      const [body, stylesheet] = [row.script_version, row.xsl_version].map((version) => texts.get(version ?? ''));
      const plan = readPlan(row, this.#types, {
        body: typeof body === 'string' ? body : undefined,
        stylesheet: typeof stylesheet === 'object' ? stylesheet : undefined,
      });
      this.#plans.set(Number(row.key), plan);
      plans.set(Number(row.key), plan);
    }
  }
}

function planLength({ script, stylesheet }: ShapingPlan): number {
  const scriptLength = script?.kind === 'script' ? script.body.length + script.parameters.length : 0;
  return 1_000 + scriptLength + (stylesheet ? textLength(stylesheet) : 0);
}

function textLength(text: Text): number {
  if (typeof text === 'string') return 100 + text.length;
  return 100 + (text.kind === 'stylesheet' ? text.text.length : text.message.length);
}
