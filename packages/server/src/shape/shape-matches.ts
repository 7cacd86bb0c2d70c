// Shapes matches: the script decides and may write the message, and the stylesheet makes the body. Without either, the
// body is the default one. Nothing is stored here, and a failure affects no other match.

import type { ScriptCall, ScriptMessage, ScriptSandbox, TimedScriptResult } from '@flaghoist/script-sandbox';
import { recordable } from '@flaghoist/source-text';
import type { Stylesheets, Transform } from '@flaghoist/stylesheets';
import type { Links } from '../query/view-columns.ts';
import { renderObjectXml } from '../render/object-xml.ts';
import type { WireNames } from '../render/render-envelope.ts';
import { isLarger, jsonType, renderNotification, tooLarge } from '../render/render-notification.ts';
import { renderEventType } from '../subscriptions/event-type.ts';
import type { ShapingPart } from './shaping-health-table.ts';
import type { ScriptPart, ShapingPlan } from './shaping-plan.ts';
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
}

export interface Engines {
  scripts: Pick<ScriptSandbox, 'run'>;
  stylesheets: Pick<Stylesheets, 'transform'>;
}

export interface ShapingOptions {
  links: Links;
  wireNames: WireNames;
  notificationBytesMax: number;
}

/** How shaping a match went, apart from its outcome. */
export interface Effort {
  readonly log: readonly string[];
  /** It took too long, or so much that the engine had to be replaced. */
  readonly isOverTime: boolean;
  readonly tookMs: number;
  /** The last part that ran successfully. */
  readonly worked: ShapingPart | undefined;
}

export type Shaped = Effort & { readonly match: UnshapedMatch } & Outcome;

type Outcome =
  /** The subscription no longer exists. */
  | { readonly kind: 'gone' }
  /** Not tried: another match of its lane took too long just before. */
  | { readonly kind: 'later' }
  | { readonly kind: 'suppressed'; readonly reason: 'SCRIPT_FALSE' | 'SCRIPT_ERROR'; readonly message: string | null }
  | { readonly kind: 'made'; readonly contentType: string; readonly body: string; readonly subject: string | null }
  /** Still a notification, but one that cannot be sent. `isShaping`: the stylesheet failed. */
  | { readonly kind: 'failed'; readonly message: string; readonly isShaping: boolean; readonly subject: string | null };

const noEffort: Effort = { log: [], isOverTime: false, tookMs: 0, worked: undefined };

export async function shapeMatches(
  all: readonly ShapingInputs[],
  engines: Engines,
  options: ShapingOptions,
): Promise<Shaped[]> {
  const judged = await judgeAll(all, engines.scripts);
  const transforms = judged.map((each) => transformOf(each));
  const wanted = transforms.filter((each) => each?.kind === 'transform');
  const results =
    wanted.length > 0 ? await engines.stylesheets.transform(wanted.map(({ transform }) => transform)) : [];
  const made = new Map(wanted.map((each, index) => [each, results[index]!]));
  return judged.map((each, index) => finish(each, transforms[index], made, options));
}

/** For a match that is not tried: its script or stylesheet took too long several times in a row. */
export function failWithoutRun({ match, plan }: ShapingInputs): Shaped {
  const common = { ...noEffort, match };
  if (!plan) return { ...common, kind: 'gone' };
  if (plan.script && !plan.stylesheet)
    return { ...common, kind: 'suppressed', reason: 'SCRIPT_ERROR', message: `The script ${timeoutsInARow}` };
  return {
    ...common,
    kind: 'failed',
    message: stylesheetFailed(`It ${timeoutsInARow}`),
    isShaping: true,
    subject: null,
  };
}

const timeoutsInARow = 'took longer than allowed several times in a row, and was not run.';

/** A match after its script: its result is final, or it needs a body. */
type Judged =
  | { readonly kind: 'decided'; readonly shaped: Shaped }
  | {
      readonly kind: 'passed';
      readonly inputs: ShapingInputs;
      readonly plan: ShapingPlan;
      readonly message: ScriptMessage | undefined;
      readonly effort: Effort;
    };

async function judgeAll(all: readonly ShapingInputs[], scripts: Engines['scripts']): Promise<Judged[]> {
  const calls = all.map(callOf);
  const wanted = calls.filter((call) => call !== undefined);
  const results = wanted.length > 0 ? await scripts.run(wanted) : [];
  const answers = new Map(wanted.map((call, index) => [call, results[index]!]));
  return all.map((each, index) => {
    const call = calls[index];
    return judge(each, call && answers.get(call));
  });
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
    nowMs: Date.parse(`${match.eventTime}Z`),
    seed: idOf(match),
  };
}

function judge(inputs: ShapingInputs, answer: TimedScriptResult | undefined): Judged {
  const { match, plan } = inputs;
  if (!plan) return decided({ ...noEffort, kind: 'gone', match });
  // The subscription had no script when the change was matched, so no object was stored for a script.
  if (!plan.script || match.svcObjectNo === null)
    return { kind: 'passed', inputs, plan, message: undefined, effort: noEffort };
  const fail = (message: string, effort: Effort) =>
    decided({ ...effort, kind: 'suppressed', match, reason: 'SCRIPT_ERROR', message });
  if (!answer) return fail(whyNotRun(plan.script), noEffort);
  const { log, tookMs } = answer;
  if (answer.kind === 'leftOut') return decided({ ...noEffort, kind: 'later', match });
  if (answer.kind === 'failed')
    return fail(answer.message, { ...noEffort, log, tookMs, isOverTime: answer.isOverTime });
  const effort: Effort = { log, tookMs, isOverTime: false, worked: 'script' };
  if (!answer.isTrue) return decided({ ...effort, kind: 'suppressed', match, reason: 'SCRIPT_FALSE', message: null });
  const { message } = answer;
  if (hasNul(message?.subject) || hasNul(message?.body?.text))
    return fail('The message has a character U+0000, which cannot be stored.', effort);
  return { kind: 'passed', inputs, plan, message, effort };
}

function hasNul(text: string | undefined): boolean {
  return text?.includes('\0') ?? false;
}

function decided(shaped: Shaped): Judged {
  return { kind: 'decided', shaped };
}

function whyNotRun(script: ScriptPart): string {
  return script.kind === 'missing' ? script.message : 'The object is too large for a script.';
}

type Wanted =
  | { readonly kind: 'transform'; readonly transform: Transform }
  | { readonly kind: 'impossible'; readonly message: string };

/** The message of the script takes precedence over the stylesheet. */
function transformOf(judged: Judged): Wanted | undefined {
  if (judged.kind === 'decided' || messageBody(judged)) return undefined;
  const { plan, inputs } = judged;
  const { stylesheet, type } = plan;
  if (!stylesheet || inputs.shown === null) return undefined;
  if (stylesheet.kind === 'missing') return { kind: 'impossible', message: stylesheet.message };
  if (!type) return { kind: 'impossible', message: 'The type of the object is not there any more.' };
  const { version, text } = stylesheet;
  const lane = String(inputs.match.subscriptionKey);
  const xml = renderObjectXml(type, inputs.shown);
  return { kind: 'transform', transform: { version, lane, stylesheet: text, xml } };
}

function messageBody(judged: Judged & { kind: 'passed' }): NonNullable<ScriptMessage['body']> | undefined {
  return judged.plan.useMsg ? judged.message?.body : undefined;
}

function finish(
  judged: Judged,
  wanted: Wanted | undefined,
  made: ReadonlyMap<Wanted, Awaited<ReturnType<Stylesheets['transform']>>[number]>,
  options: ShapingOptions,
): Shaped {
  if (judged.kind === 'decided') return judged.shaped;
  const { inputs, plan, effort } = judged;
  const { match, shown } = inputs;
  const subject = (plan.useMsg ? judged.message?.subject : undefined) ?? null;
  const common = { ...effort, match, subject };
  const written = messageBody(judged);
  if (written) return sized({ ...common, contentType: typeOf[written.kind], body: written.text }, options);
  if (shown === null)
    return { ...common, kind: 'failed', message: tooLarge(options.notificationBytesMax), isShaping: false };
  if (!wanted)
    return sized({ ...common, contentType: jsonType, body: usualBody(match, plan, shown, options) }, options);
  if (wanted.kind === 'impossible')
    return { ...common, kind: 'failed', message: stylesheetFailed(wanted.message), isShaping: true };
  const result = made.get(wanted)!;
  const tookMs = effort.tookMs + result.tookMs;
  if (result.kind === 'leftOut') return { ...noEffort, kind: 'later', match };
  if (result.kind === 'made')
    return sized(
      { ...common, tookMs, worked: 'stylesheet', contentType: result.contentType, body: result.body },
      options,
    );
  const { message, isOverTime } = result;
  return { ...common, tookMs, isOverTime, kind: 'failed', message: stylesheetFailed(message), isShaping: true };
}

const typeOf = { text: 'text/plain; charset=utf-8', json: jsonType } as const;

function stylesheetFailed(message: string): string {
  return recordable(`The stylesheet failed. ${message}`);
}

function sized(made: Omit<Shaped & { kind: 'made' }, 'kind'>, { notificationBytesMax }: ShapingOptions): Shaped {
  if (!isLarger(made.body, notificationBytesMax)) return { ...made, kind: 'made' };
  const { contentType: _type, body: _body, ...rest } = made;
  return { ...rest, kind: 'failed', isShaping: false, message: tooLarge(notificationBytesMax) };
}

export function idOf({ eventId, key }: UnshapedMatch): string {
  return `${eventId}-${key}`;
}

function usualBody(
  match: UnshapedMatch,
  plan: ShapingPlan,
  shown: string,
  { links, wireNames }: ShapingOptions,
): string {
  const { operation, objectKey, type } = plan;
  const eventType =
    wireNames === 'dataloy' ? operation : renderEventType({ objectType: type?.name ?? '', operation, objectKey });
  const parts = {
    id: idOf(match),
    eventTime: match.eventTime,
    objectType: match.objectType,
    eventType: match.eventType,
    objectKey: match.objectKey,
    subscription: { key: match.subscriptionKey, eventType },
    rawObject: plan.rawObject,
    resource: shown,
  };
  return renderNotification(parts, { restUrl: links.restUrl, wireNames });
}
