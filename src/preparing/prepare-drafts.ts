// From drafts to what becomes of them: the script decides and may write the message, the stylesheet makes the body, else it is the
// usual one. Nothing is stored here, and nothing that fails disturbs another.

import type { ScriptCall, ScriptMessage, ScriptSandbox, TimedScriptResult } from '../filters/script/script-sandbox.ts';
import { recordable } from '../json/printable.ts';
import type { ShapingPart } from '../notifications/shaping-health-table.ts';
import type { Draft } from '../notifications/unprepared-table.ts';
import { renderObjectXml } from '../payload/object-xml.ts';
import type { WireNames } from '../payload/render-envelope.ts';
import { isLarger, jsonType, renderNotification, tooLarge } from '../payload/render-notification.ts';
import type { Stylesheets, Transform } from '../payload/stylesheet/stylesheets.ts';
import type { Links } from '../query/view-columns.ts';
import { renderEventType } from '../subscriptions/event-type.ts';
import type { Recipe, ScriptPart } from './recipe.ts';

/** A draft with all that it is made from. */
export interface Ingredients {
  readonly draft: Draft;
  /** Undefined: the subscription is gone. */
  readonly recipe: Recipe | undefined;
  /** JSON texts; null where there is none, or where it is too large. */
  readonly shown: string | null;
  readonly svcObject: string | null;
  readonly oldSvcObject: string | null;
}

export interface Engines {
  scripts: Pick<ScriptSandbox, 'run'>;
  stylesheets: Pick<Stylesheets, 'transform'>;
}

export interface PreparingOptions {
  links: Links;
  wireNames: WireNames;
  notificationBytesMax: number;
}

/** What it took. */
export interface Effort {
  readonly log: readonly string[];
  /** Longer than it may, or so much that the engine had to be replaced. */
  readonly isOverTime: boolean;
  readonly tookMs: number;
  /** The last of these that was run, and did what it should. */
  readonly worked: ShapingPart | undefined;
}

export type Prepared = Effort & { readonly draft: Draft } & Outcome;

type Outcome =
  /** Its subscription is not there any more. */
  | { readonly kind: 'gone' }
  /** Not tried: another of its lane took too long just before. */
  | { readonly kind: 'later' }
  | { readonly kind: 'heldBack'; readonly reason: 'SCRIPT_FALSE' | 'SCRIPT_ERROR'; readonly message: string | null }
  | { readonly kind: 'made'; readonly contentType: string; readonly body: string; readonly subject: string | null }
  /** A notification all the same, but one that cannot be sent. `isShaping`: the stylesheet has failed. */
  | { readonly kind: 'failed'; readonly message: string; readonly isShaping: boolean; readonly subject: string | null };

const noEffort: Effort = { log: [], isOverTime: false, tookMs: 0, worked: undefined };

export async function prepareDrafts(
  all: readonly Ingredients[],
  engines: Engines,
  options: PreparingOptions,
): Promise<Prepared[]> {
  const judged = await judgeAll(all, engines.scripts);
  const transforms = judged.map((each) => transformOf(each));
  const wanted = transforms.filter((each) => each?.kind === 'transform');
  const results =
    wanted.length > 0 ? await engines.stylesheets.transform(wanted.map(({ transform }) => transform)) : [];
  const made = new Map(wanted.map((each, index) => [each, results[index]!]));
  return judged.map((each, index) => finish(each, transforms[index], made, options));
}

/** Not tried: the script or the stylesheet has taken too long again and again. */
export function giveUp({ draft, recipe }: Ingredients): Prepared {
  const common = { ...noEffort, draft };
  if (!recipe) return { ...common, kind: 'gone' };
  if (recipe.script && !recipe.stylesheet)
    return { ...common, kind: 'heldBack', reason: 'SCRIPT_ERROR', message: `The script ${givenUp}` };
  return { ...common, kind: 'failed', message: stylesheetFailed(`It ${givenUp}`), isShaping: true, subject: null };
}

const givenUp = 'took longer than it may several times in a row, and was not run.';

/** Let through, or not. */
type Judged =
  | { readonly kind: 'settled'; readonly prepared: Prepared }
  | {
      readonly kind: 'passed';
      readonly ingredients: Ingredients;
      readonly recipe: Recipe;
      readonly message: ScriptMessage | undefined;
      readonly effort: Effort;
    };

async function judgeAll(all: readonly Ingredients[], scripts: Engines['scripts']): Promise<Judged[]> {
  const calls = all.map(callOf);
  const wanted = calls.filter((call) => call !== undefined);
  const results = wanted.length > 0 ? await scripts.run(wanted) : [];
  const answers = new Map(wanted.map((call, index) => [call, results[index]!]));
  return all.map((each, index) => {
    const call = calls[index];
    return judge(each, call && answers.get(call));
  });
}

function callOf({ draft, recipe, svcObject, oldSvcObject }: Ingredients): ScriptCall | undefined {
  const script = recipe?.script;
  if (script?.kind !== 'script' || svcObject === null) return undefined;
  const { edition, body, user, parameters } = script;
  return {
    edition,
    body,
    lane: String(draft.subscriptionKey),
    user,
    parameters,
    svcObject,
    oldSvcObject: oldSvcObject ?? 'null',
    nowMs: Date.parse(`${draft.eventTime}Z`),
    seed: idOf(draft),
  };
}

function judge(ingredients: Ingredients, answer: TimedScriptResult | undefined): Judged {
  const { draft, recipe } = ingredients;
  if (!recipe) return settled({ ...noEffort, kind: 'gone', draft });
  // A script that came later than the change has nothing to judge it by.
  if (!recipe.script || draft.svcObjectNo === null)
    return { kind: 'passed', ingredients, recipe, message: undefined, effort: noEffort };
  const fail = (message: string, effort: Effort) =>
    settled({ ...effort, kind: 'heldBack', draft, reason: 'SCRIPT_ERROR', message });
  if (!answer) return fail(whyNotRun(recipe.script), noEffort);
  const { log, tookMs } = answer;
  if (answer.kind === 'leftOut') return settled({ ...noEffort, kind: 'later', draft });
  if (answer.kind === 'failed')
    return fail(answer.message, { ...noEffort, log, tookMs, isOverTime: answer.isOverTime });
  const effort: Effort = { log, tookMs, isOverTime: false, worked: 'script' };
  if (!answer.isTrue) return settled({ ...effort, kind: 'heldBack', draft, reason: 'SCRIPT_FALSE', message: null });
  const { message } = answer;
  if (hasNul(message?.subject) || hasNul(message?.body?.text))
    return fail('The message has a character U+0000, which cannot be stored.', effort);
  return { kind: 'passed', ingredients, recipe, message, effort };
}

function hasNul(text: string | undefined): boolean {
  return text?.includes('\0') ?? false;
}

function settled(prepared: Prepared): Judged {
  return { kind: 'settled', prepared };
}

function whyNotRun(script: ScriptPart): string {
  return script.kind === 'missing' ? script.message : 'The object is too large for a script.';
}

type Wanted =
  | { readonly kind: 'transform'; readonly transform: Transform }
  | { readonly kind: 'impossible'; readonly message: string };

/** The message of the script goes before the stylesheet. */
function transformOf(judged: Judged): Wanted | undefined {
  if (judged.kind === 'settled' || messageBody(judged)) return undefined;
  const { recipe, ingredients } = judged;
  const { stylesheet, type } = recipe;
  if (!stylesheet || ingredients.shown === null) return undefined;
  if (stylesheet.kind === 'missing') return { kind: 'impossible', message: stylesheet.message };
  if (!type) return { kind: 'impossible', message: 'The type of the object is not there any more.' };
  const { edition, text } = stylesheet;
  const lane = String(ingredients.draft.subscriptionKey);
  const xml = renderObjectXml(type, ingredients.shown);
  return { kind: 'transform', transform: { edition, lane, stylesheet: text, xml } };
}

function messageBody(judged: Judged & { kind: 'passed' }): NonNullable<ScriptMessage['body']> | undefined {
  return judged.recipe.useMsg ? judged.message?.body : undefined;
}

function finish(
  judged: Judged,
  wanted: Wanted | undefined,
  made: ReadonlyMap<Wanted, Awaited<ReturnType<Stylesheets['transform']>>[number]>,
  options: PreparingOptions,
): Prepared {
  if (judged.kind === 'settled') return judged.prepared;
  const { ingredients, recipe, effort } = judged;
  const { draft, shown } = ingredients;
  const subject = (recipe.useMsg ? judged.message?.subject : undefined) ?? null;
  const common = { ...effort, draft, subject };
  const written = messageBody(judged);
  if (written) return sized({ ...common, contentType: typeOf[written.kind], body: written.text }, options);
  if (shown === null)
    return { ...common, kind: 'failed', message: tooLarge(options.notificationBytesMax), isShaping: false };
  if (!wanted)
    return sized({ ...common, contentType: jsonType, body: usualBody(draft, recipe, shown, options) }, options);
  if (wanted.kind === 'impossible')
    return { ...common, kind: 'failed', message: stylesheetFailed(wanted.message), isShaping: true };
  const result = made.get(wanted)!;
  const tookMs = effort.tookMs + result.tookMs;
  if (result.kind === 'leftOut') return { ...noEffort, kind: 'later', draft };
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

function sized(made: Omit<Prepared & { kind: 'made' }, 'kind'>, { notificationBytesMax }: PreparingOptions): Prepared {
  if (!isLarger(made.body, notificationBytesMax)) return { ...made, kind: 'made' };
  const { contentType: _type, body: _body, ...rest } = made;
  return { ...rest, kind: 'failed', isShaping: false, message: tooLarge(notificationBytesMax) };
}

export function idOf({ eventId, key }: Draft): string {
  return `${eventId}-${key}`;
}

function usualBody(draft: Draft, recipe: Recipe, shown: string, { links, wireNames }: PreparingOptions): string {
  const { operation, objectKey, type } = recipe;
  const eventType =
    wireNames === 'dataloy' ? operation : renderEventType({ objectType: type?.name ?? '', operation, objectKey });
  const parts = {
    id: idOf(draft),
    eventTime: draft.eventTime,
    objectType: draft.objectType,
    eventType: draft.eventType,
    objectKey: draft.objectKey,
    subscription: { key: draft.subscriptionKey, eventType },
    rawObject: recipe.rawObject,
    resource: shown,
  };
  return renderNotification(parts, { restUrl: links.restUrl, wireNames });
}
