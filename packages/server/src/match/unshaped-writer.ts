// Converts matches that need a script or a stylesheet into the rows stored until they are shaped. Text that several
// matches share is rendered and stored once.

import { entryOf } from '../entry-of.ts';
import type { View } from '../query/view.ts';
import type { Links } from '../query/view-columns.ts';
import { renderResource } from '../render/render-resource.ts';
import type { ObjectText, UnshapedMatch } from '../shape/unshaped-table.ts';
import type { ObjectState } from '../snapshots/object-state.ts';
import type { Match } from './evaluate-candidates.ts';

export interface UnshapedOptions {
  links: Links;
  notificationBytesMax: number;
}

interface StoredText {
  no: number;
  bytes: number;
}

/** The texts of one event. */
type StoredTexts = Map<ObjectState, Map<View, Map<number, StoredText>>>;

const tooLarge: StoredText = { no: 0, bytes: 0 };

export class UnshapedWriter {
  readonly #options: UnshapedOptions;
  #texts: ObjectText[] = [];
  #eventId = 0;
  #places: StoredTexts = new Map();
  #nextNo = 0;

  constructor(options: UnshapedOptions) {
    this.#options = options;
  }

  /** Returns the texts of the unshaped matches added since the last call. */
  takeTexts(): ObjectText[] {
    const texts = this.#texts;
    this.#texts = [];
    return texts;
  }

  /** `errorMessage`: why the notification will not be sent, whatever shaping produces. */
  add({ candidate, shown, old }: Match, key: number, errorMessage: string | null): UnshapedMatch {
    const { event, subscription, subscribedKey } = candidate;
    const scriptView = subscription.preparation?.scriptView;
    // All matches of an event arrive one after the other.
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

  #place(state: ObjectState, view: View, key: number): StoredText {
    const ofView = entryOf(
      entryOf(this.#places, state, () => new Map<View, Map<number, StoredText>>()),
      view,
      () => new Map<number, StoredText>(),
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
