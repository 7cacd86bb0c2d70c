// Converts matches that need a script or a stylesheet into the rows stored until they are shaped. Text that several
// matches share is rendered and stored once.

import { entryOf } from '../entry-of.ts';
import type { View } from '../query/view.ts';
import { renderResource } from '../render/render-resource.ts';
import type { BodyOptions } from '../shape/default-body.ts';
import type { ObjectText, UnshapedMatch } from '../shape/unshaped-table.ts';
import type { ObjectState } from '../snapshots/object-state.ts';
import type { Match } from './evaluate-candidates.ts';

type WriterOptions = Pick<BodyOptions, 'links' | 'notificationBytesMax'>;

interface StoredText {
  no: number;
  bytes: number;
}

const tooLarge: StoredText = { no: 0, bytes: 0 };

export class UnshapedWriter {
  readonly #options: WriterOptions;
  #texts: ObjectText[] = [];
  #eventId = 0;
  /** The texts of this event. */
  #stored = new Map<ObjectState, Map<View, StoredText>>();
  #nextNo = 0;

  constructor(options: WriterOptions) {
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
    if (event.id !== this.#eventId) [this.#eventId, this.#stored, this.#nextNo] = [event.id, new Map(), 0];
    const store = (state: ObjectState | undefined, view: View | undefined) =>
      state && view ? this.#store(state, view, subscribedKey) : null;
    const stored = {
      shown: store(shown, subscription.view),
      svcObject: store(shown, scriptView),
      oldSvcObject: store(old, scriptView),
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
      shownNo: stored.shown?.no ?? null,
      svcObjectNo: stored.svcObject?.no ?? null,
      oldSvcObjectNo: stored.oldSvcObject?.no ?? null,
      bytes: Object.values(stored).reduce((sum, each) => sum + (each?.bytes ?? 0), 0),
      errorMessage,
      isOrdered: subscription.isOrdered,
    };
  }

  #store(state: ObjectState, view: View, key: number): StoredText {
    const ofState = entryOf(this.#stored, state, () => new Map<View, StoredText>());
    return entryOf(ofState, view, () => {
      const { links, notificationBytesMax } = this.#options;
      const text = state.isCutOff(view) ? undefined : renderResource(state, view, key, links, notificationBytesMax);
      if (text === undefined) return tooLarge;
      this.#nextNo += 1;
      this.#texts.push({ eventId: this.#eventId, no: this.#nextNo, text });
      return { no: this.#nextNo, bytes: text.length };
    });
  }
}
