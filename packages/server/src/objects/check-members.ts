// Checks the members of a JSON object that is not an object type: the body of an action, or a part of an attribute.

import { didYouMean } from '@flaghoist/source-text';
import type { JsonObject } from '../json/parse-json.ts';
import type { ScalarAttribute } from '../model/object-type.ts';
import { type Checked, checkScalar, type StoredValue } from './check-scalar.ts';
import type { Mistake } from './mistake.ts';

export interface CheckedMembers {
  /** Values by name. A member that was not sent has its default, or is missing. */
  given: ReadonlyMap<string, StoredValue>;
  mistakes: Mistake[];
}

/** `unknown`: what to say of a member that there is not. */
export function checkMembers(members: readonly ScalarAttribute[], sent: JsonObject, unknown: string): CheckedMembers {
  const known = members.map(({ name }) => name);
  const strangers = [...sent.keys()]
    .filter((name) => !known.includes(name))
    .map((name) => ({ name, message: `${unknown}${didYouMean(name, known)}` }));
  const { given, mistakes } = collectMembers(members, (member) => {
    const value = sent.get(member.name);
    return value === undefined ? undefined : checkScalar(member, value);
  });
  return { given, mistakes: [...strangers, ...mistakes] };
}

/** `check` returns undefined for a member that was not sent. */
export function collectMembers(
  members: readonly ScalarAttribute[],
  check: (member: ScalarAttribute) => Checked<StoredValue> | undefined,
): CheckedMembers {
  const given = new Map<string, StoredValue>();
  const mistakes: Mistake[] = [];
  for (const member of members) {
    const checked = check(member);
    if (checked?.isGood) given.set(member.name, checked.value);
    else if (checked) mistakes.push({ name: member.name, message: checked.mistake });
    else if (member.default !== undefined) given.set(member.name, member.default);
    else if (member.isRequired) mistakes.push({ name: member.name, message: 'is required.' });
  }
  return { given, mistakes };
}
