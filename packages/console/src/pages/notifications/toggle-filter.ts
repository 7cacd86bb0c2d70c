// Adds or removes one value of a filter that takes several.

import { place, setQuery } from '../../routing/location.ts';

export function toggleFilter(parameter: string, value: string, isChosen: boolean): void {
  const others = place
    .peek()
    .query.getAll(parameter)
    .filter((each) => each !== value);
  setQuery({ [parameter]: isChosen ? [...others, value] : others }, { replace: true });
}
