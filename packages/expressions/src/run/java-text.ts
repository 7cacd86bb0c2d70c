// Renders doubles and floats as text like Java: always with a decimal point, and with an exponent below 10^-3 and from
// 10^7 on.

/** The shortest digits that identify the double, at least two (as since JDK 19; before, some had one too many). */
export function renderDouble(value: number): string {
  const size = Math.abs(value);
  if (!Number.isFinite(value) || size === 0) return renderSpecial(value);
  const shortest = size.toExponential();
  // Two digits: Java writes 4.9E-324 where JavaScript writes 5e-324.
  const written = shortest.includes('.') ? shortest : size.toExponential(1);
  return renderDigits(value < 0, written);
}

export function renderFloat(value: number): string {
  if (!Number.isFinite(value) || value === 0) return renderSpecial(value);
  const size = Math.abs(value);
  let digits = 1;
  while (digits < 9 && Math.fround(Number(size.toExponential(digits))) !== size) digits++;
  return renderDigits(value < 0, size.toExponential(digits));
}

function renderSpecial(value: number): string {
  if (value === 0) return Object.is(value, -0) ? '-0.0' : '0.0';
  return String(value);
}

/** Converts `1.25e+3` to Java's form: plain from 10^-3 up to 10^7, otherwise with an exponent. */
function renderDigits(isNegative: boolean, written: string): string {
  const [mantissa = '', power = ''] = written.split('e');
  const exponent = Number(power);
  const digits = mantissa.replace('.', '').replace(/0+$/, '') || '0';
  const sign = isNegative ? '-' : '';
  if (exponent < -3 || exponent >= 7) return `${sign}${digits[0]}.${digits.slice(1) || '0'}E${exponent}`;
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${digits}`;
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, '0');
  return `${sign}${whole}.${digits.slice(exponent + 1) || '0'}`;
}
