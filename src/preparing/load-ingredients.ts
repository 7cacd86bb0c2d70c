// From claimed rows to drafts with all that they are made from, in a handful of statements.

import type { Run } from '../database/database.ts';
import { type ClaimedDraftRow, type Draft, selectObjectTexts } from '../notifications/unprepared-table.ts';
import type { Ingredients } from './prepare-drafts.ts';
import type { RecipeBook } from './recipe-book.ts';

const bytesAtOnce = 32_000_000;

/** As many as fit into memory, at least one. */
export function cutToBytes(rows: readonly ClaimedDraftRow[]): { now: ClaimedDraftRow[]; later: ClaimedDraftRow[] } {
  let bytes = 0;
  const now: ClaimedDraftRow[] = [];
  const later: ClaimedDraftRow[] = [];
  for (const row of rows) {
    bytes += row.bytes;
    (now.length === 0 || bytes <= bytesAtOnce ? now : later).push(row);
  }
  return { now, later };
}

export function draftOf(row: ClaimedDraftRow): Draft {
  return {
    key: Number(row.key),
    eventId: Number(row.event_id),
    subscriptionKey: Number(row.subscription_key),
    userKey: Number(row.user_key),
    objectType: row.object_type,
    objectKey: Number(row.object_key),
    eventType: row.event_type,
    subscribedObjectKey: Number(row.subscribed_object_key),
    eventTime: row.event_time,
    shownNo: row.shown_no,
    svcObjectNo: row.svc_object_no,
    oldSvcObjectNo: row.old_svc_object_no,
    bytes: row.bytes,
    errorMessage: row.error_message,
  };
}

export async function loadIngredients(drafts: readonly Draft[], book: RecipeBook, run: Run): Promise<Ingredients[]> {
  const subscriptionKeys = [...new Set(drafts.map(({ subscriptionKey }) => subscriptionKey))];
  const [[rows = []], recipes] = await Promise.all([
    run(selectObjectTexts(textsOf(drafts))),
    book.load(subscriptionKeys, run),
  ]);
  const texts = new Map(
    (rows as unknown as { event_id: string; no: number; text: string }[]).map(({ event_id, no, text }) => [
      `${event_id} ${no}`,
      text,
    ]),
  );
  return drafts.map((draft) => {
    const textOf = (no: number | null) => (no === null ? null : (texts.get(`${draft.eventId} ${no}`) ?? null));
    return {
      draft,
      recipe: recipes.get(draft.subscriptionKey),
      shown: textOf(draft.shownNo),
      svcObject: textOf(draft.svcObjectNo),
      oldSvcObject: textOf(draft.oldSvcObjectNo),
    };
  });
}

/** Each once. */
function textsOf(drafts: readonly Draft[]): { eventId: number; no: number }[] {
  const wanted = new Map<string, { eventId: number; no: number }>();
  for (const { eventId, shownNo, svcObjectNo, oldSvcObjectNo } of drafts)
    for (const no of [shownNo, svcObjectNo, oldSvcObjectNo]) if (no) wanted.set(`${eventId} ${no}`, { eventId, no });
  return [...wanted.values()];
}
