// Checks the subject that notifications are published to. It may have placeholders, which each notification fills in.

import { subjectPlaceholders } from '../../channels/nats/fill-subject.ts';

const lengthMax = 255;
const known = subjectPlaceholders.map((name) => `{${name}}`).join(', ');

/** Returns what is wrong with the subject; undefined if it is valid. */
export function checkSubject(subject: string): string | undefined {
  if (subject.length > lengthMax) return `may have at most ${lengthMax} characters; this has ${subject.length}.`;
  const unknown = [...subject.matchAll(/\{([^{}]*)\}/g)].find(
    ([, name]) => !subjectPlaceholders.some((each) => each === name),
  );
  if (unknown) return `has the placeholder ${unknown[0]}; there are ${known}.`;
  const tokens = subject.replaceAll(/\{[^{}]*\}/g, 'x').split('.');
  if (reserved.test(tokens[0]!)) return `cannot begin with ${tokens[0]}: NATS uses such subjects itself.`;
  if (tokens.some((token) => /[*>]/.test(token))) return 'cannot have wildcards: a message has one subject.';
  if (tokens.includes('')) return 'cannot have an empty name: not at the beginning, at the end or between two dots.';
  if (tokens.some((token) => !/^[A-Za-z0-9_-]+$/.test(token)))
    return (
      'must be names of letters, digits, - and _ with dots between them. A name can also have placeholders: ' +
      `${known}.`
    );
  return undefined;
}

/** `$JS`, `$SYS` and others, and the inboxes of replies. */
const reserved = /^(\$|_INBOX$)/;
