// One mistake in a set of type declarations.

export interface Mistake {
  /** For example `types.Certificate.attributes.vessel`. */
  place: string;
  message: string;
}
