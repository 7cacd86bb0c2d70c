// Fills in the placeholders of a subject, as in `flaghoist.{objectType}.{operation}.{objectKey}`.

/** What the placeholders stand for. */
export interface SubjectValues {
  readonly objectType: string;
  readonly operation: string;
  /** Of the object that changed. */
  readonly objectKey: number;
  /** The key of the subscription. */
  readonly subscription: number;
}

export const subjectPlaceholders = [
  'objectType',
  'operation',
  'objectKey',
  'subscription',
] as const satisfies readonly (keyof SubjectValues)[];

export function fillSubject(subject: string, values: SubjectValues): string {
  return subjectPlaceholders.reduce((text, name) => text.replaceAll(`{${name}}`, () => toToken(values[name])), subject);
}

/** No value can add a token or a wildcard to the subject, or end the line of the protocol. */
function toToken(value: string | number): string {
  return String(value).replaceAll(/[^A-Za-z0-9_-]/g, '_') || '_';
}
