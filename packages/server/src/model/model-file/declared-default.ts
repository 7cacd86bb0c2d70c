// Checks the default of an attribute: the attribute must accept the value, and many objects must be able to share it.

import { normaliseDecimal } from '../../json/normalise-decimal.ts';
import type { AttributeDeclaration } from '../attribute-declaration.ts';

/** Returns undefined if the default is valid or if there is none. */
export function findDefaultMistake(details: AttributeDeclaration): string | undefined {
  if (details.default === undefined) return undefined;
  if (details.isRequired === false) return 'is never empty with a default: leave isRequired out.';
  if (details.edition !== undefined) return 'cannot be combined with edition: the objects of every user would have it.';
  return findValueMistake(details, details.default);
}

function findValueMistake(details: AttributeDeclaration, value: string | number | boolean): string | undefined {
  const { kind } = details;
  const unless = (isValid: boolean, mistake: string) => (isValid ? undefined : mistake);
  switch (kind) {
    case 'text': {
      const isOnItsOwn = details.isUnique || details.isCode || details.format !== undefined;
      return unless(
        typeof value === 'string' && !isOnItsOwn && [...value].length <= (details.maxLength ?? 1_000_000),
        'must be text of at most maxLength characters; one that is unique, or has a format, cannot have a default.',
      );
    }
    case 'code':
      return unless(details.values.includes(value as string), 'must be one of the values.');
    case 'integer':
      return unless(
        Number.isInteger(value) && Math.abs(value as number) < 2 ** 31 && !details.isAssigned && !details.isSequence,
        'must be a whole number of 32 bits; one that is numbered by the service cannot have a default.',
      );
    case 'decimal':
      return unless(
        typeof value === 'number' && isStorable(value),
        'must be a number of at most 16 digits before the point and 8 after it.',
      );
    case 'boolean':
      return unless(typeof value === 'boolean', 'must be true or false.');
    default:
      return `a ${kind} cannot have a default.`;
  }
}

function isStorable(value: number): boolean {
  const decimal = normaliseDecimal(String(value));
  return decimal !== undefined && decimal.digitsBefore <= 16 && decimal.digitsAfter <= 8;
}
