// Checks the field selection, expression and credentials of a subscription when it is saved. Each mistake names its
// attribute; no message repeats a secret.

import type { Model, ObjectType } from '../model/object-type.ts';
import type { StoredValue } from '../objects/check-scalar.ts';
import type { Mistake } from '../objects/mistake.ts';
import { compileSelection } from '../query/compile-selection.ts';
import { checkPlaceholder } from './channel/placeholder.ts';
import { decodeBase64Text } from './decode-base64-text.ts';
import { compileFilter } from './subscription.ts';

export interface SubscriptionLimits {
  selectionBytesMax: number;
  expressionBytesMax: number;
}

/** Column → value, for the attributes that were sent. */
export type Sent = ReadonlyMap<string, StoredValue>;

/** The type of the subscribed objects, and the model, as subscribers see them. */
export interface SubscribedType {
  /** Undefined if the type itself is wrong. */
  type: ObjectType | undefined;
  model: Model;
}

export function checkShaping(sent: Sent, { type, model }: SubscribedType, limits: SubscriptionLimits): Mistake[] {
  const [json, expression] = [sent.get('json'), sent.get('expression')];
  return [
    ...(json == null ? [] : named('json', checkSelection(json, type, limits))),
    ...(expression == null || !type ? [] : named('expression', checkExpression(expression, { type, model }, limits))),
  ];
}

/** What depends on the type of the object, as attribute and the columns that it is sent as. */
const typed = [
  ['json', ['json']],
  ['expression', ['expression']],
  ['dlpAlertScript', ['dlp_alert_script', 'alert_script_key']],
  ['xsl', ['xsl']],
] as const;

/** For a subscription whose event types are of several object types. */
export function checkSeveralTypes(sent: Sent): Mistake[] {
  return typed
    .filter(([, columns]) => columns.some((column) => (sent.get(column) ?? null) !== null))
    .map(([name]) => ({ name, message: needsOneType }));
}

const needsOneType =
  'needs event types of one object type, and these are of several. ' +
  'Leave it out, or create a subscription for each type.';

function checkSelection(
  json: string,
  type: ObjectType | undefined,
  { selectionBytesMax }: SubscriptionLimits,
): readonly string[] {
  const decoded = decodeBase64Text(json);
  if (decoded.kind === 'mistake') return [decoded.mistake];
  const length = Buffer.byteLength(decoded.text);
  if (length > selectionBytesMax) return [`may have at most ${selectionBytesMax} bytes, decoded; this has ${length}.`];
  if (!type) return [];
  const compiled = compileSelection(decoded.text, type);
  return compiled.kind === 'mistakes' ? compiled.messages : [];
}

function checkExpression(
  expression: string,
  { type, model }: { type: ObjectType; model: Model },
  limits: SubscriptionLimits,
): readonly string[] {
  const tooLong = findLengthMistake(expression, limits);
  if (tooLong !== undefined) return [tooLong];
  const compiled = compileFilter(expression, type, model);
  return compiled.kind === 'mistakes' ? compiled.messages : [];
}

export function findLengthMistake(
  expression: string,
  { expressionBytesMax }: Pick<SubscriptionLimits, 'expressionBytesMax'>,
): string | undefined {
  const length = Buffer.byteLength(expression);
  return length > expressionBytesMax ? `may have at most ${expressionBytesMax} bytes; this has ${length}.` : undefined;
}

const passwordLengthMax = 255;

/** As HTTP Basic requires (RFC 7617 §2). */
export function checkCredentials(sent: Sent): Mistake[] {
  const username = sent.get('webhook_username') ?? '';
  const password = sent.get('webhook_password') ?? '';
  const mistakes: Mistake[] = [];
  const reject = (name: string, isWrong: boolean, message: string) => {
    if (isWrong) mistakes.push({ name, message });
  };
  reject('webhookUsername', username.includes(':'), 'cannot have a colon: HTTP Basic ends the name there.');
  reject('webhookUsername', hasControl(username), 'cannot have control characters.');
  reject('webhookPassword', hasControl(password), 'cannot have control characters.');
  const isLong = [...password].length > passwordLengthMax;
  reject('webhookPassword', isLong, `may have at most ${passwordLengthMax} characters.`);
  return [
    ...mistakes,
    ...named(
      'webhookPassword',
      [checkPlaceholder(password)].filter((message) => message !== undefined),
    ),
  ];
}

function hasControl(text: string): boolean {
  return /\p{Cc}/u.test(text);
}

function named(name: string, messages: readonly string[]): Mistake[] {
  return messages.map((message) => ({ name, message }));
}
