// Paths of attributes, for filters and sorts: `voyageStatus`, `portCall.voyage.vessel.vesselName`.

import type { Catalogue } from '../catalogue.ts';
import type { Collections, References, Scalars, Target } from './attributes.ts';

/** Through references and collections. From the fourth step on, only the service checks the path. */
export type PathOf<T, C = Catalogue> = Path<T, 'anything', C, [1, 1]>;

/** Through references. */
export type SortPathOf<T, C = Catalogue> = Path<T, 'references', C, [1, 1]>;

type Through = 'references' | 'anything';

type Path<T, Via extends Through, C, Rest extends unknown[]> =
  | (keyof Scalars<T, C> & string)
  | (keyof Links<T, Via, C> & string)
  | {
      [Name in keyof Links<T, Via, C> & string]: Rest extends [unknown, ...infer Fewer]
        ? `${Name}.${Path<Target<Links<T, Via, C>[Name]>, Via, C, Fewer>}`
        : `${Name}.${string}`;
    }[keyof Links<T, Via, C> & string];

type Links<T, Via extends Through, C> = Via extends 'references'
  ? References<T, C>
  : References<T, C> & Collections<T, C>;
