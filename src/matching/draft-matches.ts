// Matches that need a script or a stylesheet, as they are stored until they are prepared. What several of them are shown of an object
// is rendered and stored once.

import type { Draft, ObjectText } from '../notifications/unprepared-table.ts';
import { entryOf } from '../payload/entry-of.ts';
import type { ObjectState } from '../payload/object-state.ts';
import { renderResource } from '../payload/render-resource.ts';
import type { View } from '../query/view.ts';
import type { Links } from '../query/view-columns.ts';
import type { Match } from './evaluate-candidates.ts';

export interface DraftOptions {
  links: Links;
  notificationBytesMax: number;
}

interface Placed {
  no: number;
  bytes: number;
}

/** Of one event. */
type Places = Map<ObjectState, Map<View, Map<number, Placed>>>;

const tooLarge: Placed = { no: 0, bytes: 0 };

export class DraftWriter {
  readonly #options: DraftOptions;
  #texts: ObjectText[] = [];
  #eventId = 0;
  #places: Places = new Map();
  #nextNo = 0;

  constructor(options: DraftOptions) {
    this.#options = options;
  }

  /** Of the drafts since it was asked the last time. */
  takeTexts(): ObjectText[] {
    const texts = this.#texts;
    this.#texts = [];
    return texts;
  }

  /** `errorMessage`: why it will not be sent, whatever is made of it. */
  draft({ candidate, shown, old }: Match, key: number, errorMessage: string | null): Draft {
    const { event, subscription, subscribedKey } = candidate;
    const scriptView = subscription.preparation?.scriptView;
    // All matches of an event come one after the other.
    if (event.id !== this.#eventId) [this.#eventId, this.#places, this.#nextNo] = [event.id, new Map(), 0];
    const place = (state: ObjectState | undefined, view: View | undefined) =>
      state && view ? this.#place(state, view, subscribedKey) : null;
    const placed = {
      shown: place(shown, subscription.view),
      svcObject: place(shown, scriptView),
      oldSvcObject: place(old, scriptView),
    };
    return {
      key,
      eventId: event.id,
      subscriptionKey: subscription.key,
      userKey: subscription.userKey,
      objectType: event.type.name,
      objectKey: event.key,
      eventType: event.operation,
      subscribedObjectKey: subscribedKey,
      eventTime: event.time,
      shownNo: placed.shown?.no ?? null,
      svcObjectNo: placed.svcObject?.no ?? null,
      oldSvcObjectNo: placed.oldSvcObject?.no ?? null,
      bytes: Object.values(placed).reduce((sum, each) => sum + (each?.bytes ?? 0), 0),
      errorMessage,
    };
  }

  #place(state: ObjectState, view: View, key: number): Placed {
    const ofView = entryOf(
      entryOf(this.#places, state, () => new Map<View, Map<number, Placed>>()),
      view,
      () => new Map<number, Placed>(),
    );
    return entryOf(ofView, key, () => {
      const { links, notificationBytesMax } = this.#options;
      const text = state.isCutOff(view) ? undefined : renderResource(state, view, key, links, notificationBytesMax);
      if (text === undefined) return tooLarge;
      this.#nextNo += 1;
      this.#texts.push({ eventId: this.#eventId, no: this.#nextNo, text });
      return { no: this.#nextNo, bytes: text.length };
    });
  }
}
