// Checks an IMO ship number: the first six digits times 7 down to 2 give a sum whose last digit is the seventh digit.

export function isImoNumber(text: string): boolean {
  if (!/^\d{7}$/.test(text)) return false;
  const sum = [...text.slice(0, 6)].reduce((total, digit, index) => total + Number(digit) * (7 - index), 0);
  return sum % 10 === Number(text[6]);
}
