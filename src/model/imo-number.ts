// The check digit of an IMO ship number: the first six digits times 7 down to 2; the last digit of the sum is the seventh.

export function isImoNumber(text: string): boolean {
  if (!/^\d{7}$/.test(text)) return false;
  const sum = [...text.slice(0, 6)].reduce((total, digit, index) => total + Number(digit) * (7 - index), 0);
  return sum % 10 === Number(text[6]);
}
