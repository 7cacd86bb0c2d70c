// Java methods that expressions do not support, each with the reason or with what to write instead. For these, a hint
// with the nearest name would not help.

/** A sentence to append to "X has no method y()."; empty if the method is not listed here. */
export function whyUnsupported(owner: string, method: string): string {
  const name = owner.replace(/<.*/, '');
  const reason = reasons.find(([owners, methods]) => owners.includes(name) && methods.includes(method))?.[2];
  return reason === undefined ? '' : ` ${reason}`;
}

const zone = 'It depends on the time zone of a computer: use before, after or getTime().';
const unchanging = 'A filter changes nothing.';

const reasons: readonly (readonly [owners: readonly string[], methods: readonly string[], reason: string])[] = [
  [['Date'], ['toString', 'getYear', 'getMonth', 'getDate', 'getDay', 'getHours', 'getMinutes', 'getSeconds'], zone],
  [['Date'], ['setTime'], unchanging],
  [['List'], ['add', 'remove', 'clear', 'set', 'sort', 'forEach'], unchanging],
  [['List'], ['iterator', 'listIterator'], 'Go through it with stream().'],
  [['Stream'], ['forEach', 'peek'], unchanging],
  [['Stream'], ['collect'], 'Use toList() to get a list.'],
  [['Stream'], ['reduce'], 'Use mapToDouble, mapToInt or mapToLong, and then sum().'],
  [['Stream'], ['max', 'min'], 'Use mapToDouble, mapToInt or mapToLong, and then max() or min().'],
  [['String'], ['format', 'formatted'], 'Join texts with "+".'],
  [['String'], ['chars', 'codePoints', 'toCharArray'], 'Use charAt, or matches with a pattern.'],
];
