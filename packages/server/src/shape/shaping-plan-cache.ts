// Caches the shaping plans of subscriptions: loads them on demand, and keeps them until they change. A script or
// stylesheet that many subscriptions use is loaded and kept once, by its version.

import { LRUCache } from 'lru-cache';
import type { Run } from '../database/database.ts';
import type { Model } from '../model/object-type.ts';
import {
  readOutline,
  readStylesheet,
  type ShapingPlan,
  type ShapingPlanOutline,
  type StylesheetPart,
  scriptVersionOf,
  withTexts,
} from './shaping-plan.ts';
import {
  type ShapingPlanRow,
  type ShapingPlanTexts,
  selectPlans,
  selectPlanVersions,
  type VersionRow,
} from './shaping-plan-table.ts';

const outlineBytesMax = 20_000_000;
const textsMax = 2_000;
const textBytesMax = 64_000_000;

/** The body of a script, or a stylesheet. */
type Text = string | StylesheetPart;

export class ShapingPlanCache {
  readonly #types: Model['types'];
  /** By subscription key. */
  readonly #outlines = new LRUCache<number, ShapingPlanOutline>({
    maxSize: outlineBytesMax,
    sizeCalculation: ({ script }) => 1_000 + (script?.kind === 'script' ? script.parameters.length : 0),
  });
  /** By version. */
  readonly #texts = new LRUCache<string, Text>({ max: textsMax, maxSize: textBytesMax, sizeCalculation: lengthOf });

  /** `types`: as subscribers see them. */
  constructor(types: Model['types']) {
    this.#types = types;
  }

  /** The size of the cached texts, in characters. */
  get textsLength(): number {
    return this.#texts.calculatedSize;
  }

  /** The current plans by subscription key. A subscription that no longer exists has none. */
  async load(subscriptionKeys: readonly number[], run: Run): Promise<Map<number, ShapingPlan>> {
    const [versions = []] = await run(selectPlanVersions(subscriptionKeys));
    const outlines = new Map<number, ShapingPlanOutline>();
    const texts = new Map<string, Text>();
    const unknown: number[] = [];
    for (const { key, version } of versions as unknown as VersionRow[]) {
      const known = this.#outlines.get(Number(key));
      if (known?.version === version && this.#take(known, texts)) outlines.set(Number(key), known);
      else unknown.push(Number(key));
    }
    if (unknown.length > 0) await this.#loadUnknown(unknown, { outlines, texts }, run);
    return new Map([...outlines].map(([key, outline]) => [key, compose(outline, texts)]));
  }

  /** Copies the texts of a plan to `texts`, so that eviction cannot remove them. False if one is already evicted. */
  #take(outline: ShapingPlanOutline, texts: Map<string, Text>): boolean {
    return versionsOf(outline).every((version) => {
      const text = this.#texts.get(version);
      if (text !== undefined) texts.set(version, text);
      return text !== undefined;
    });
  }

  async #loadUnknown(
    subscriptionKeys: readonly number[],
    { outlines, texts }: { outlines: Map<number, ShapingPlanOutline>; texts: Map<string, Text> },
    run: Run,
  ): Promise<void> {
    for (const [version, text] of this.#texts.entries()) texts.set(version, text);
    const [rows = []] = await run(selectPlans(subscriptionKeys, [...texts.keys()]));
    for (const row of rows as unknown as (ShapingPlanRow & ShapingPlanTexts)[]) {
      const { body, xsl, xsl_edition } = row;
      if (body !== null) this.#keep(scriptVersionOf(row)!, body, texts);
      if (xsl !== null) this.#keep(xsl_edition!, readStylesheet(xsl, xsl_edition!), texts);
      const outline = readOutline(row, this.#types);
      this.#outlines.set(Number(row.key), outline);
      outlines.set(Number(row.key), outline);
    }
  }

  #keep(version: string, text: Text, texts: Map<string, Text>): void {
    this.#texts.set(version, text);
    texts.set(version, text);
  }
}

function versionsOf({ script, xslVersion }: ShapingPlanOutline): string[] {
  return [script?.kind === 'script' ? script.version : undefined, xslVersion].filter(
    (version) => version !== undefined,
  );
}

function compose(outline: ShapingPlanOutline, texts: ReadonlyMap<string, Text>): ShapingPlan {
  const [body, stylesheet] = [
    outline.script?.kind === 'script' ? texts.get(outline.script.version) : undefined,
    outline.xslVersion === undefined ? undefined : texts.get(outline.xslVersion),
  ];
  return withTexts(outline, {
    body: body as string | undefined,
    stylesheet: stylesheet as StylesheetPart | undefined,
  });
}

function lengthOf(text: Text): number {
  if (typeof text === 'string') return 100 + text.length;
  return 100 + (text.kind === 'stylesheet' ? text.text.length : text.message.length);
}
