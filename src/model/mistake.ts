// One mistake in a set of type declarations.

export interface Mistake {
  /** `types.Certificate.attributes.vessel` */
  place: string;
  message: string;
}
