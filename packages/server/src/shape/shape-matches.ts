// Shapes matches: the script decides and may write the message, and the stylesheet makes the body. Without either, the
// body is the default one. Nothing is stored here, and a failure affects no other match.

import type { ScriptCall, ScriptMessage, ScriptSandbox, TimedScriptResult } from '@flaghoist/script-sandbox';
import { storableMessage } from '@flaghoist/source-text';
import type { Stylesheets, TimedTransformResult, Transform } from '@flaghoist/stylesheets';
import { eventTimeOf } from '../events/change-event.ts';
import { type Body, bodyOf } from '../render/body.ts';
import { renderObjectXml } from '../render/object-xml.ts';
import {
  type BodyOptions,
  isLarger,
  jsonType,
  type MatchedChange,
  renderDefaultBody,
  renderDefaultContent,
  tooLarge,
} from './default-body.ts';
import type { ShapingPart } from './shaping-health-table.ts';
import type { ScriptPart, ShapingPlan, StylesheetPart } from './shaping-plan.ts';
import type { UnshapedMatch } from './unshaped-table.ts';

/** A match with everything that it is shaped from. */
export interface ShapingInputs {
  readonly match: UnshapedMatch;
  /** Undefined if the subscription no longer exists. */
  readonly plan: ShapingPlan | undefined;
  /** JSON texts; null if there is none, or if it is too large. */
  readonly shown: string | null;
  readonly svcObject: string | null;
  readonly oldSvcObject: string | null;
  readonly changes: string | null;
}

export interface Engines {
  scripts: Pick<ScriptSandbox, 'run'>;
  stylesheets: Pick<Stylesheets, 'transform'>;
}

/** How shaping a match went, apart from its outcome. */
export interface Effort {
  readonly log: readonly string[];
  /** It took too long, or broke its engine. */
  readonly isOverTime: boolean;
  readonly tookMs: number;
  /** The last part that ran successfully. */
  readonly worked: ShapingPart | undefined;
}

export type Shaped = Effort & { readonly match: UnshapedMatch } & Outcome;

type Outcome =
  /** The subscription no longer exists. */
  | { readonly kind: 'gone' }
  /** Not run: another match of its lane took too long just before. */
  | { readonly kind: 'later' }
  | { readonly kind: 'suppressed'; readonly reason: 'SCRIPT_FALSE' | 'SCRIPT_ERROR'; readonly message: string | null }
  | { readonly kind: 'rendered'; readonly contentType: string; readonly body: Body; readonly subject: string | null }
  /** Still a notification, but one that cannot be sent. `isShaping`: the stylesheet failed. */
  | { readonly kind: 'failed'; readonly message: string; readonly isShaping: boolean; readonly subject: string | null };

const noEffort: Effort = { log: [], isOverTime: false, tookMs: 0, worked: undefined };

export async function shapeMatches(
  all: readonly ShapingInputs[],
  engines: Engines,
  options: BodyOptions,
): Promise<Shaped[]> {
  const scriptResults = await runSome(all.map(callOf), (calls) => engines.scripts.run(calls));
  const judged = all.map((each, index) => judge(each, scriptResults[index]));
  const results = await runSome(judged.map(transformOf), (transforms) => engines.stylesheets.transform(transforms));
  return judged.map((each, index) => (each.kind === 'passed' ? finish(each, results[index], options) : each));
}

/** Each result is at the index of its call. Undefined calls have none. */
async function runSome<Call, Result>(
  calls: readonly (Call | undefined)[],
  run: (calls: Call[]) => Promise<Result[]>,
): Promise<(Result | undefined)[]> {
  const wanted = calls.filter((call) => call !== undefined);
  const results = wanted.length > 0 ? await run(wanted) : [];
  let next = 0;
  return calls.map((call) => (call === undefined ? undefined : results[next++]));
}

/** For a match that is not run: its script or stylesheet took too long several times in a row. */
export function failWithoutRun({ match, plan }: ShapingInputs): Shaped {
  const common = { ...noEffort, match };
  if (!plan) return { ...common, kind: 'gone' };
  if (plan.script && !plan.stylesheet)
    return { ...common, kind: 'suppressed', reason: 'SCRIPT_ERROR', message: `The script ${timeoutsInARow}` };
  return stylesheetFailed({ ...common, subject: null }, `It ${timeoutsInARow}`);
}

const timeoutsInARow = 'took longer than allowed several times in a row, and was not run.';

/** A match that its script let through, or that has none. It needs a body. */
interface Passed {
  readonly kind: 'passed';
  readonly inputs: ShapingInputs;
  readonly plan: ShapingPlan;
  readonly message: ScriptMessage | undefined;
  readonly effort: Effort;
}

function callOf({ match, plan, svcObject, oldSvcObject }: ShapingInputs): ScriptCall | undefined {
  const script = plan?.script;
  if (script?.kind !== 'script' || svcObject === null) return undefined;
  const { version, body, user, parameters } = script;
  return {
    version,
    body,
    lane: String(match.subscriptionKey),
    user,
    parameters,
    svcObject,
    oldSvcObject: oldSvcObject ?? 'null',
    nowMs: Date.parse(`${eventTimeOf(match.occurredAt)}Z`),
    seed: idOf(match),
  };
}

function judge(inputs: ShapingInputs, result: TimedScriptResult | undefined): Shaped | Passed {
  const { match, plan } = inputs;
  if (!plan) return { ...noEffort, kind: 'gone', match };
  // The subscription had no script when the change was matched, so no object was stored for a script.
  if (!plan.script || match.svcObjectNo === null)
    return { kind: 'passed', inputs, plan, message: undefined, effort: noEffort };
  const fail = (message: string, effort: Effort): Shaped => ({
    ...effort,
    kind: 'suppressed',
    match,
    reason: 'SCRIPT_ERROR',
    message,
  });
  if (!result) return fail(whyNotRun(plan.script), noEffort);
  const { log, tookMs } = result;
  if (result.kind === 'skipped') return { ...noEffort, kind: 'later', match };
  if (result.kind === 'failed')
    return fail(result.message, { ...noEffort, log, tookMs, isOverTime: result.isOverTime });
  const effort: Effort = { log, tookMs, isOverTime: false, worked: 'script' };
  if (!result.isTrue) return { ...effort, kind: 'suppressed', match, reason: 'SCRIPT_FALSE', message: null };
  const { message } = result;
  if (hasNul(message?.subject) || hasNul(message?.body?.text))
    return fail('The message has a character U+0000, which cannot be stored.', effort);
  return { kind: 'passed', inputs, plan, message, effort };
}

function hasNul(text: string | undefined): boolean {
  return text?.includes('\0') ?? false;
}

function whyNotRun(script: ScriptPart): string {
  return script.kind === 'missing' ? script.message : 'The object is too large for a script.';
}

/** The message of the script takes precedence over the stylesheet. */
function transformOf(judged: Shaped | Passed): Transform | undefined {
  if (judged.kind !== 'passed' || messageBody(judged)) return undefined;
  const { match, shown } = judged.inputs;
  const { stylesheet, type } = judged.plan;
  if (stylesheet?.kind !== 'stylesheet' || !type || shown === null) return undefined;
  const { version, text } = stylesheet;
  return { version, lane: String(match.subscriptionKey), stylesheet: text, xml: renderObjectXml(type, shown) };
}

function messageBody({ plan, message }: Passed): NonNullable<ScriptMessage['body']> | undefined {
  return plan.useMsg ? message?.body : undefined;
}

function finish(passed: Passed, result: TimedTransformResult | undefined, options: BodyOptions): Shaped {
  const { inputs, plan, effort, message } = passed;
  const { match, shown, changes } = inputs;
  const common = { ...effort, match, subject: (plan.useMsg ? message?.subject : undefined) ?? null };
  const written = messageBody(passed);
  if (written) return sized({ ...common, contentType: typeOf[written.kind], body: bodyOf(written.text) }, options);
  if (shown === null)
    return { ...common, kind: 'failed', message: tooLarge(options.notificationBytesMax), isShaping: false };
  if (!plan.stylesheet) {
    const head = { id: idOf(match), sequence: match.eventId, ...match };
    const content = renderDefaultContent(head, plan.rawObject, { resource: shown, changes: changes ?? undefined });
    const body = renderDefaultBody(head, matchedChange(match, plan), content, options);
    return sized({ ...common, contentType: jsonType, body }, options);
  }
  if (!result) return stylesheetFailed(common, whyNotTransformed(plan.stylesheet));
  const tookMs = effort.tookMs + result.tookMs;
  if (result.kind === 'skipped') return { ...noEffort, kind: 'later', match };
  if (result.kind === 'failed')
    return stylesheetFailed({ ...common, tookMs, isOverTime: result.isOverTime }, result.message);
  const { contentType, body } = result;
  return sized({ ...common, tookMs, worked: 'stylesheet', contentType, body: bodyOf(body) }, options);
}

function matchedChange(match: UnshapedMatch, { type, eventTypes, rawObject }: ShapingPlan): MatchedChange {
  const { objectKey, subscribedObjectKey, eventType } = match;
  const operation = objectKey === subscribedObjectKey ? eventType : 'U';
  const objectType = type?.name ?? eventTypes.objectType;
  return { rawObject, eventTypes, occurrence: { objectType, operation, objectKey: subscribedObjectKey } };
}

function whyNotTransformed(stylesheet: StylesheetPart): string {
  return stylesheet.kind === 'missing' ? stylesheet.message : 'The type of the object no longer exists.';
}

const typeOf = { text: 'text/plain; charset=utf-8', json: jsonType } as const;

function stylesheetFailed(
  common: Effort & { readonly match: UnshapedMatch; readonly subject: string | null },
  message: string,
): Shaped {
  return { ...common, kind: 'failed', message: storableMessage(`The stylesheet failed. ${message}`), isShaping: true };
}

function sized(rendered: Omit<Shaped & { kind: 'rendered' }, 'kind'>, { notificationBytesMax }: BodyOptions): Shaped {
  if (!isLarger(rendered.body, notificationBytesMax)) return { ...rendered, kind: 'rendered' };
  const { contentType: _type, body: _body, ...rest } = rendered;
  return { ...rest, kind: 'failed', isShaping: false, message: tooLarge(notificationBytesMax) };
}

export function idOf({ eventId, key }: UnshapedMatch): string {
  return `${eventId}-${key}`;
}
