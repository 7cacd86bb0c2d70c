// A regular expression that exactly the known API versions match, for callers that check what they send. It has no
// look-ahead, which many engines lack.

import { newestVersion, oldestVersion } from './api-versions.ts';

export const versionPattern = `^${patternOfVersions(oldestVersion, newestVersion)}$`;

function patternOfVersions(oldest: string, newest: string): string {
  const [[major, minor], [lastMajor, lastMinor]] = [partsOf(oldest), partsOf(newest)];
  const length = Number(lastMajor) - Number(major) - 1;
  const between = Array.from({ length }, (_, index) => Number(major) + 1 + index);
  return oneOf([
    `${major}\\.${oneOf(numbersFrom(minor))}`,
    ...between.map((each) => `${each}\\.(0|[1-9]\\d{0,3})`),
    `${lastMajor}\\.${oneOf(numbersUpTo(lastMinor))}`,
  ]);
}

/** Numbers of up to four digits, without leading zeros. */
function numbersFrom(least: string): string[] {
  const greater = [...least].flatMap((digit, index) => {
    return digit === '9' ? [] : [`${least.slice(0, index)}[${Number(digit) + 1}-9]${digits(least.length - index - 1)}`];
  });
  return [least, ...greater, ...(least.length < 4 ? [`[1-9]\\d{${least.length},3}`] : [])];
}

function numbersUpTo(most: string): string[] {
  const smaller = [...most].flatMap((digit, index) => {
    const lowest = index === 0 && most.length > 1 ? 1 : 0;
    if (Number(digit) <= lowest) return [];
    return [`${most.slice(0, index)}[${lowest}-${Number(digit) - 1}]${digits(most.length - index - 1)}`];
  });
  return [most, ...smaller, ...(most.length > 1 ? ['0', `[1-9]\\d{0,${most.length - 2}}`] : [])];
}

function digits(count: number): string {
  return '\\d'.repeat(count);
}

function oneOf(patterns: string[]): string {
  return `(${patterns.join('|')})`;
}

function partsOf(version: string): [major: string, minor: string] {
  const [major, minor] = version.split('.');
  return [major!, minor!];
}
