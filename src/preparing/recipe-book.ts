// The recipes of subscriptions, loaded when they are needed and kept for as long as they have not changed.

import { LRUCache } from 'lru-cache';
import type { Run } from '../database/database.ts';
import type { Model } from '../model/object-type.ts';
import { type Recipe, readRecipe } from './recipe.ts';
import { type RecipeRow, selectRecipes, selectRecipeVersions, type VersionRow } from './recipe-table.ts';

const recipesMax = 2_000;
const bytesMax = 64_000_000;

export class RecipeBook {
  readonly #types: Model['types'];
  readonly #recipes = new LRUCache<number, Recipe>({
    max: recipesMax,
    maxSize: bytesMax,
    sizeCalculation: ({ script, stylesheet }) =>
      1_000 +
      (script?.kind === 'script' ? script.body.length + script.parameters.length : 0) +
      (stylesheet?.kind === 'stylesheet' ? stylesheet.text.length : 0),
  });

  /** `types`: as subscribers see them. */
  constructor(types: Model['types']) {
    this.#types = types;
  }

  /** By subscription, as they are now; one that is gone has none. */
  async load(subscriptionKeys: readonly number[], run: Run): Promise<Map<number, Recipe>> {
    const [versions = []] = await run(selectRecipeVersions(subscriptionKeys));
    const found = new Map<number, Recipe>();
    const unknown: number[] = [];
    for (const { key, version } of versions as unknown as VersionRow[]) {
      const known = this.#recipes.get(Number(key));
      if (known?.version === version) found.set(Number(key), known);
      else unknown.push(Number(key));
    }
    if (unknown.length === 0) return found;
    const [rows = []] = await run(selectRecipes(unknown));
    for (const row of rows as unknown as RecipeRow[]) {
      const recipe = readRecipe(row, this.#types);
      this.#recipes.set(Number(row.key), recipe);
      found.set(Number(row.key), recipe);
    }
    return found;
  }
}
