// The formats that a text can be asked to have, as one table: how each is checked, told, described and shown.

import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';
import { isKnownVersion, newestVersion, oldestVersion } from './api-versions.ts';
import { isImoNumber } from './imo-number.ts';
import type { TextFormat } from './object-type.ts';

export interface TextFormatRow {
  /** `must be …` */
  requirement: string;
  /** The same for the docs, as a sentence. */
  note: string;
  fits(text: string): boolean;
  /** A regular expression of JSON Schema, for as much of it as one can say. */
  pattern: string;
  example: string;
}

/** Spaces, control characters, and the marks (that of the writing direction) which make one address look like another. */
const unseen = '\\s\\u0000-\\u0020\\u007f-\\u00a0\\u00ad\\u061c\\u180e\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f';

/** Anything else but what separates and encloses addresses. */
const mailCharacter = `[^${unseen},;:<>\\(\\)\\[\\]"\\\\@.]`;

/** Of ASCII the letters, digits and the hyphen alone. */
const domainCharacter = `[^${unseen}!-,.\\/:-@\\[-\`\\{-\\u00bf]`;

/** The same without digits. */
const domainNonDigit = `[^${unseen}!-,.-@\\[-\`\\{-\\u00bf]`;

/** No top-level domain is a number: what ends in one is an IP address. */
const topLevelDomain = `${domainCharacter}*${domainNonDigit}${domainCharacter}*`;

const emailPattern = `^${mailCharacter}+(\\.${mailCharacter}+)*@(${domainCharacter}+\\.)*${topLevelDomain}$`;

/** Every visible character of ASCII but the quote and the backslash, so that it can stand in any header. */
const clientIdPattern = '^[!#-\\[\\]-~]{3,128}$';

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
    requirement: 'a client id: 3 to 128 visible characters of ASCII, no space, quote or backslash',
    note: '3 to 128 visible characters of ASCII, no space, quote or backslash.',
    fits: (text) => clientId.test(text),
    pattern: clientIdPattern,
    example: 'terminal-planner',
  },
  apiVersion: {
    requirement: `an API version from ${oldestVersion} to ${newestVersion}`,
    note: `From ${oldestVersion} to ${newestVersion}.`,
    fits: isKnownVersion,
    pattern: '^\\d{1,4}\\.\\d{1,4}$',
    example: newestVersion,
  },
};

const email = new RegExp(emailPattern, 'u');
const clientId = new RegExp(clientIdPattern);

function isEmailAddress(text: string): boolean {
  return text.length <= 254 && email.test(text) && !isAddressDomain(text.slice(text.lastIndexOf('@') + 1));
}

/** Wide digits, other dots and hexadecimal numbers make an IP address too. */
function isAddressDomain(domain: string): boolean {
  return isIP(domainToASCII(domain)) !== 0;
}
