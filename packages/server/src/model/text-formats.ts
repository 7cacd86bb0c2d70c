// The table of text formats: how each one is checked, described in messages and docs, and shown as an example.

import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';
import { isKnownVersion, newestVersion, oldestVersion } from './api-versions.ts';
import type { TextFormat } from './attribute-declaration.ts';
import { versionPattern } from './version-pattern.ts';

export interface TextFormatRow {
  /** Continues `must be …`. */
  requirement: string;
  /** The requirement as a sentence for the docs. */
  note: string;
  fits(text: string): boolean;
  /** A JSON Schema pattern for as much of the format as a regular expression can express. */
  pattern: string;
  example: string;
}

/** Spaces, control characters, and invisible marks (writing direction) that make one address look like another. */
const invisible = '\\s\\u0000-\\u0020\\u007f-\\u00a0\\u00ad\\u061c\\u180e\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f';

/** Any other character, except those that separate or enclose addresses. */
const mailCharacter = `[^${invisible},;:<>\\(\\)\\[\\]"\\\\@.]`;

/** Of ASCII, only letters, digits and the hyphen. */
const domainCharacter = `[^${invisible}!-,.\\/:-@\\[-\`\\{-\\u00bf]`;

/** The same characters without digits. */
const domainNonDigit = `[^${invisible}!-,.-@\\[-\`\\{-\\u00bf]`;

/** No top-level domain is a number: a domain that ends in a number is an IP address. */
const topLevelDomain = `${domainCharacter}*${domainNonDigit}${domainCharacter}*`;

const emailPattern = `^${mailCharacter}+(\\.${mailCharacter}+)*@(${domainCharacter}+\\.)*${topLevelDomain}$`;

/** All visible ASCII characters except the quote and the backslash, so that a client id fits into any header. */
const clientIdPattern = '^[!#-\\[\\]-~]{3,128}$';

const base64 = '[A-Za-z0-9+\\/]';

/** 8 to 21 groups of three bytes. The last group may be one of one or two bytes, with padding. Unused bits are zero. */
const signingSecretPattern =
  `^whsec_(${base64}{4}){8,20}` + `(${base64}{4}|(${base64}{4})?${base64}[AQgw]==|${base64}{2}[AEIMQUYcgkosw048]=)?$`;

export const textFormats: Record<TextFormat, TextFormatRow> = {
  imoNumber: {
    requirement: 'an IMO number: seven digits, the last of which is the check digit',
    note: 'An IMO number.',
    fits: isImoNumber,
    pattern: '^\\d{7}$',
    example: '9074729',
  },
  email: {
    requirement:
      'one e-mail address, like ops@example.com, of at most 254 characters; its domain cannot be an IP address',
    note: 'One e-mail address.',
    fits: isEmailAddress,
    pattern: emailPattern,
    example: 'ops@example.com',
  },
  clientId: {
    requirement: 'a client id: 3 to 128 visible ASCII characters, no space, quote or backslash',
    note: '3 to 128 visible ASCII characters, no space, quote or backslash.',
    fits: (text) => clientId.test(text),
    pattern: clientIdPattern,
    example: 'terminal-planner',
  },
  apiVersion: {
    requirement: `an API version from ${oldestVersion} to ${newestVersion}`,
    note: `From ${oldestVersion} to ${newestVersion}.`,
    fits: isKnownVersion,
    pattern: versionPattern,
    example: newestVersion,
  },
  signingSecret: {
    requirement: 'a secret of Standard Webhooks: whsec_ followed by 24 to 64 bytes in Base64 with padding',
    note: '`whsec_` followed by 24 to 64 bytes in Base64.',
    fits: (text) => signingSecret.test(text),
    pattern: signingSecretPattern,
    example: 'whsec_YW4gZXhhbXBsZSBvZiBhIHNpZ25pbmcgc2VjcmV0Li4=',
  },
};

/** The first six digits times 7 down to 2 give a sum whose last digit is the seventh digit. */
function isImoNumber(text: string): boolean {
  if (!/^\d{7}$/.test(text)) return false;
  const sum = [...text.slice(0, 6)].reduce((total, digit, index) => total + Number(digit) * (7 - index), 0);
  return sum % 10 === Number(text[6]);
}

const email = new RegExp(emailPattern, 'u');
const clientId = new RegExp(clientIdPattern);
const signingSecret = new RegExp(signingSecretPattern);

function isEmailAddress(text: string): boolean {
  if (text.length > 254 || !email.test(text)) return false;
  // Full-width digits, other dots and hexadecimal numbers form IP addresses too.
  return isIP(domainToASCII(text.slice(text.lastIndexOf('@') + 1))) === 0;
}
