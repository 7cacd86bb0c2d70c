// The recipes of subscriptions, loaded when they are needed and kept for as long as they have not changed. A script, or a stylesheet, that
// many use is loaded and kept once, by its edition.

import { LRUCache } from 'lru-cache';
import type { Run } from '../database/database.ts';
import type { Model } from '../model/object-type.ts';
import {
  type Recipe,
  type RecipeOutline,
  readOutline,
  readStylesheet,
  type StylesheetPart,
  scriptEdition,
  withTexts,
} from './recipe.ts';
import {
  type RecipeRow,
  type RecipeTexts,
  selectRecipes,
  selectRecipeVersions,
  type VersionRow,
} from './recipe-table.ts';

const outlineBytesMax = 20_000_000;
const textsMax = 2_000;
const textBytesMax = 64_000_000;

/** The body of a script, or a stylesheet. */
type Text = string | StylesheetPart;

export class RecipeBook {
  readonly #types: Model['types'];
  /** By subscription. */
  readonly #outlines = new LRUCache<number, RecipeOutline>({
    maxSize: outlineBytesMax,
    sizeCalculation: ({ script }) => 1_000 + (script?.kind === 'script' ? script.parameters.length : 0),
  });
  /** By edition. */
  readonly #texts = new LRUCache<string, Text>({ max: textsMax, maxSize: textBytesMax, sizeCalculation: lengthOf });

  /** `types`: as subscribers see them. */
  constructor(types: Model['types']) {
    this.#types = types;
  }

  /** Of texts, in characters. */
  get textsLength(): number {
    return this.#texts.calculatedSize;
  }

  /** By subscription, as they are now; one that is gone has none. */
  async load(subscriptionKeys: readonly number[], run: Run): Promise<Map<number, Recipe>> {
    const [versions = []] = await run(selectRecipeVersions(subscriptionKeys));
    const outlines = new Map<number, RecipeOutline>();
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

  /** Into `texts`, so that they stay for the moment; false where one of them has been dropped. */
  #take(outline: RecipeOutline, texts: Map<string, Text>): boolean {
    return editionsOf(outline).every((edition) => {
      const text = this.#texts.get(edition);
      if (text !== undefined) texts.set(edition, text);
      return text !== undefined;
    });
  }

  async #loadUnknown(
    subscriptionKeys: readonly number[],
    { outlines, texts }: { outlines: Map<number, RecipeOutline>; texts: Map<string, Text> },
    run: Run,
  ): Promise<void> {
    for (const [edition, text] of this.#texts.entries()) texts.set(edition, text);
    const [rows = []] = await run(selectRecipes(subscriptionKeys, [...texts.keys()]));
    for (const row of rows as unknown as (RecipeRow & RecipeTexts)[]) {
      const { body, xsl, xsl_edition } = row;
      if (body !== null) this.#keep(scriptEdition(row)!, body, texts);
      if (xsl !== null) this.#keep(xsl_edition!, readStylesheet(xsl, xsl_edition!), texts);
      const outline = readOutline(row, this.#types);
      this.#outlines.set(Number(row.key), outline);
      outlines.set(Number(row.key), outline);
    }
  }

  #keep(edition: string, text: Text, texts: Map<string, Text>): void {
    this.#texts.set(edition, text);
    texts.set(edition, text);
  }
}

function editionsOf({ script, xslEdition }: RecipeOutline): string[] {
  return [script?.kind === 'script' ? script.edition : undefined, xslEdition].filter(
    (edition) => edition !== undefined,
  );
}

function compose(outline: RecipeOutline, texts: ReadonlyMap<string, Text>): Recipe {
  const [body, stylesheet] = [
    outline.script?.kind === 'script' ? texts.get(outline.script.edition) : undefined,
    outline.xslEdition === undefined ? undefined : texts.get(outline.xslEdition),
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
