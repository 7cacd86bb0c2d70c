// Cleans the response of a mail server for display: one line, without invisible characters, and without details of our
// network or our login.

import { isIP } from 'node:net';
import { printable } from '@flaghoist/source-text';

export interface Hidden {
  /** Our own host names. */
  readonly names: readonly string[];
  readonly secrets: readonly string[];
}

export function cleanAnswer(answer: string, { names, secrets }: Hidden, lengthMax = answerMax): string {
  return cut(hideNetwork(cleanMessage(answer, secrets), names), lengthMax);
}

/** For the operator, who may see details of the network. */
export function cleanMessage(message: string, secrets: readonly string[]): string {
  const [first = '', ...further] = message.split(/\r?\n/);
  // Each line repeats the code: `550-5.1.1 No such user`.
  const line = [first, ...further.map((text) => text.replace(/^\d{3}[ -](\d\.\d{1,3}\.\d{1,3} )?/, ''))].join(' ');
  const plain = line.replace(/^(\d{3})-/, '$1 ');
  return printable(secrets.reduce((hidden, secret) => hidden.replaceAll(secret, '***'), plain));
}

/** Never cuts inside a surrogate pair. */
export function cut(text: string, lengthMax: number): string {
  if (text.length <= lengthMax) return text;
  return text.slice(0, lengthMax).replace(/[\ud800-\udbff]$/, '');
}

const answerMax = 1024;

function hideNetwork(text: string, names: readonly string[]): string {
  const withoutAddresses = text
    .replace(/(?<![\d.])\d{1,3}(\.\d{1,3}){3}(?![\d.]*\d)/g, '…')
    .replace(/[\da-f:]*:[\da-f]*:[\da-f:]*/gi, hideAddress);
  return names.reduce((hidden, name) => hidden.replaceAll(wholeWord(name), '…'), withoutAddresses);
}

/** A colon at either end may belong to the sentence. */
function hideAddress(word: string): string {
  const [, before = '', address = '', after = ''] = /^(:(?!:))?(.*?)((?<!:):)?$/.exec(word) ?? [];
  return isIP(address) === 0 ? word : `${before}…${after}`;
}

function wholeWord(name: string): RegExp {
  return new RegExp(`(?<![\\w.-])${name.replace(/[^\w]/g, '\\$&')}(?![\\w-])`, 'gi');
}
