// Renders doubles and floats as Java does, always with a decimal point. Absolute values below 10^-3, and from 10^7 on,
// have an exponent.

/**
 * Uses the fewest digits that identify the double, but at least two. Java has done so since JDK 19; earlier versions
 * sometimes wrote one digit too many.
 */
export function renderDouble(value: number): string {
  const magnitude = Math.abs(value);
  if (!Number.isFinite(value) || magnitude === 0) return renderZeroOrNonFinite(value);
  const shortest = magnitude.toExponential();
  // At least two digits: Java writes 4.9E-324 where JavaScript writes 5e-324.
  const scientific = shortest.includes('.') ? shortest : magnitude.toExponential(1);
  return renderDigits(value < 0, scientific);
}

export function renderFloat(value: number): string {
  if (!Number.isFinite(value) || value === 0) return renderZeroOrNonFinite(value);
  const magnitude = Math.abs(value);
  let digits = 1;
  while (digits < 9 && Math.fround(Number(magnitude.toExponential(digits))) !== magnitude) digits++;
  return renderDigits(value < 0, magnitude.toExponential(digits));
}

function renderZeroOrNonFinite(value: number): string {
  if (value === 0) return Object.is(value, -0) ? '-0.0' : '0.0';
  return String(value);
}

/** Converts `1.25e+3` to `1250.0`, and values outside of 10^-3 to 10^7 to Java's form with an exponent. */
function renderDigits(isNegative: boolean, scientific: string): string {
  const [mantissa = '', power = ''] = scientific.split('e');
  const exponent = Number(power);
  const digits = mantissa.replace('.', '').replace(/0+$/, '') || '0';
  const sign = isNegative ? '-' : '';
  if (exponent < -3 || exponent >= 7) return `${sign}${digits[0]}.${digits.slice(1) || '0'}E${exponent}`;
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${digits}`;
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, '0');
  return `${sign}${whole}.${digits.slice(exponent + 1) || '0'}`;
}
