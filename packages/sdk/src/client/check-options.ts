// Checks the options of a client when it is created, also for programs that are not compiled with types. All mistakes
// are reported at once, and none repeats a secret.

import { FlaghoistError } from '../flaghoist-error.ts';
import {
  type ClientCredentials,
  type ClientOptions,
  type Connection,
  findUrlMistake,
  type OwnToken,
} from './client-options.ts';

type Name = keyof Connection | keyof ClientCredentials | keyof OwnToken;

/** What a value must be; undefined if it is. Options that are left out are not checked. */
type Check = (value: unknown) => string | undefined;

export function checkOptions(options: ClientOptions): void {
  if (typeof options !== 'object' || options === null)
    throw invalid(['pass options, like `createClient({ url, clientId, clientSecret })`.']);
  const mistakes = [findUrlMistake(options.url), findMissing(options as Partial<ClientCredentials & OwnToken>)];
  for (const [name, value] of Object.entries(options)) {
    const check = Object.hasOwn(checks, name) ? checks[name as Name] : undefined;
    const expected = value === undefined ? undefined : check?.(value);
    if (!check) mistakes.push(`\`${name}\` is not an option.${suggest(name)}`);
    else if (expected !== undefined) mistakes.push(`\`${name}\` must be ${expected}.`);
  }
  const found = mistakes.filter((mistake) => mistake !== undefined);
  if (found.length > 0) throw invalid(found);
}

function findMissing(options: Partial<ClientCredentials & OwnToken>): string | undefined {
  const isGiven = (name: keyof typeof options) => options[name] !== undefined && options[name] !== '';
  const missing = (['clientId', 'clientSecret'] as const).filter((name) => !isGiven(name));
  if (isGiven('token'))
    return missing.length === 2 ? undefined : 'Pass either `token`, or `clientId` and `clientSecret`.';
  if (missing.length === 0) return undefined;
  const names = 'token' in options && missing.length === 2 ? ['token'] : missing;
  const verb = names.length === 1 ? 'is' : 'are';
  const problem = `${names.map((name) => `\`${name}\``).join(' and ')} ${verb} missing or empty.`;
  return `${problem} Pass \`clientId\` and \`clientSecret\`, or a \`token\`. Is the environment of the program complete?`;
}

const unless =
  (isGood: (value: unknown) => boolean, expected: string): Check =>
  (value) =>
    isGood(value) ? undefined : expected;
const isText = (value: unknown): value is string => typeof value === 'string';
const text = unless(isText, 'text');
/** A secret that was read from a file may end with a line break. */
const oneLine = unless((value) => isText(value) && !/[\r\n]/.test(value), 'text without a line break');
const isFunction = (value: unknown) => typeof value === 'function';
const isNumberFrom = (value: unknown, least: number) => typeof value === 'number' && value >= least;

const checks: Record<Name, Check> = {
  // `findUrlMistake` checks it.
  url: () => undefined,
  apiVersion: unless((value) => isText(value) && /^\d+(\.\d+)*$/.test(value), "text like '5.23'"),
  fetch: unless(isFunction, 'a function'),
  timeoutMs: unless((value) => isNumberFrom(value, 1), 'a number of milliseconds from 1'),
  retries: unless((value) => isNumberFrom(value, 0), 'a number from 0'),
  exactNumbers: unless((value) => typeof value === 'boolean', 'true or false'),
  userAgent: oneLine,
  clientId: oneLine,
  clientSecret: oneLine,
  audience: text,
  scope: unless(isText, 'text, with spaces between scopes'),
  token: unless((value) => isText(value) || isFunction(value), 'text, or a function that gets a token'),
};

/** The option that is at most two changes of a character away, whatever the case: `clientID`, `timeout_ms`, `secret`. */
function suggest(name: string): string {
  const given = plain(name);
  const near = Object.keys(checks).find((option) => {
    const known = plain(option);
    return (
      known === given ||
      (given.length > 3 && (known.endsWith(given) || known.startsWith(given) || given.endsWith(known))) ||
      isNear(given, known)
    );
  });
  return near === undefined ? ` Options are ${Object.keys(checks).join(', ')}.` : ` Did you mean \`${near}\`?`;
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z]/g, '');
}

/** One character is missing, too many or another one, or two are swapped. */
function isNear(given: string, known: string): boolean {
  let start = 0;
  while (start < given.length && given[start] === known[start]) start += 1;
  const [rest, wanted] = [given.slice(start), known.slice(start)];
  const isSwapped = rest[0] === wanted[1] && rest[1] === wanted[0] && rest.slice(2) === wanted.slice(2);
  return (
    rest.slice(1) === wanted ||
    rest === wanted.slice(1) ||
    rest.slice(1) === wanted.slice(1) ||
    (rest !== '' && isSwapped)
  );
}

function invalid(mistakes: readonly string[]): FlaghoistError {
  return new FlaghoistError('invalidRequest', `createClient: ${mistakes.join(' ')}`);
}
