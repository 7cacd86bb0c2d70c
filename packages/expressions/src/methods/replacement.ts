// Renders the replacement of replaceAll: `$1` and `${name}` stand for groups, and a backslash makes the next character
// literal.

import type { LinearRegex, Match } from '../pattern/linear-regex.ts';
import { JavaFailure } from '../run/java-failure.ts';

export function renderReplacement(replacement: string, match: Match, regex: LinearRegex): string {
  if (!/[\\$]/.test(replacement)) return replacement;
  let made = '';
  for (let at = 0; at < replacement.length; ) {
    const sign = replacement[at]!;
    if (sign === '$') {
      const { index, end } = readGroup(replacement, at, regex);
      made += match.group(index) ?? '';
      at = end;
    } else if (sign === '\\') {
      if (at + 1 === replacement.length) throw invalidReplacement('ends with a backslash');
      made += replacement[at + 1];
      at += 2;
    } else {
      made += sign;
      at++;
    }
  }
  return made;
}

function readGroup(
  replacement: string,
  at: number,
  { groupCount, groupNames }: LinearRegex,
): { index: number; end: number } {
  const form = /\$(?:(\d)(\d*)|\{([A-Za-z][A-Za-z0-9]*)\})/y;
  form.lastIndex = at;
  const match = form.exec(replacement);
  if (!match) throw invalidReplacement('has a "$" that names no group; a plain one is written \\$');
  const [written, first, more = '', name] = match;
  if (name !== undefined) {
    const index = groupNames.get(name);
    if (index === undefined) throw invalidReplacement(`names a group "${name}" that the pattern does not have`);
    return { index, end: at + written.length };
  }
  let index = Number(first);
  if (index > groupCount) throw new JavaFailure('IndexOutOfBoundsException', `the pattern has no group ${index}`);
  // As in Java, takes further digits as long as they form the number of an existing group.
  let digits = 0;
  while (digits < more.length && index * 10 + Number(more[digits]) <= groupCount)
    index = index * 10 + Number(more[digits++]);
  return { index, end: at + 2 + digits };
}

function invalidReplacement(what: string): JavaFailure {
  return new JavaFailure('IllegalArgumentException', `the replacement ${what}`);
}
