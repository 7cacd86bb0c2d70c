// Writes a JSON number without exponent, trailing zeros or negative zero, and counts its digits. Two literals of the
// same value become the same text. Never uses a double, and never writes more than `digitsMax` digits per side.

export interface Decimal {
  /** Significant digits before the point: none in 0.5. */
  digitsBefore: number;
  digitsAfter: number;
  text: string;
}

/** Undefined for text that is not a JSON number, or that has more digits than any column can hold (1e400 has 401). */
export function normaliseDecimal(text: string): Decimal | undefined {
  const match = numberLiteral.exec(text);
  if (match === null) return undefined;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match;
  const digits = whole + fraction;
  const first = digits.search(/[1-9]/);
  if (first < 0) return { digitsBefore: 0, digitsAfter: 0, text: '0' };
  const significant = digits.slice(first, digits.length - countTrailingZeros(digits));
  const digitsBefore = Math.max(0, whole.length + Number(exponent) - first);
  const digitsAfter = Math.max(0, significant.length - (whole.length + Number(exponent) - first));
  if (digitsBefore > digitsMax || digitsAfter > digitsMax) return undefined;
  return { digitsBefore, digitsAfter, text: sign + placePoint(significant, digitsBefore, digitsAfter) };
}

const digitsMax = 400;

const numberLiteral = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

function placePoint(significant: string, digitsBefore: number, digitsAfter: number): string {
  const before = significant.slice(0, digitsBefore).padEnd(digitsBefore, '0') || '0';
  if (digitsAfter === 0) return before;
  return `${before}.${significant.slice(digitsBefore).padStart(digitsAfter, '0')}`;
}

// A loop, because /0+$/ takes quadratic time on a long run of zeros that is not at the end.
function countTrailingZeros(digits: string): number {
  let count = 0;
  while (digits[digits.length - 1 - count] === '0') count++;
  return count;
}
