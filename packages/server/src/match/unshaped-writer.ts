// Converts matches that need a script or a stylesheet into the rows stored until they are shaped. Text that several
// matches share is rendered and stored once.

import { entryOf } from '../entry-of.ts';
import type { ChangeEvent } from '../events/change-event.ts';
import type { View } from '../query/view.ts';
import { renderChanges } from '../render/render-changes.ts';
import { renderResource } from '../render/render-resource.ts';
import type { ObjectText, UnshapedMatch } from '../shape/unshaped-table.ts';
import type { ObjectState } from '../snapshots/object-state.ts';
import { viewOf } from '../subscriptions/subscription.ts';
import type { Match } from './evaluate-candidates.ts';
import { type RenderOptions, showsChanges } from './render-body.ts';

type WriterOptions = Pick<RenderOptions, 'links' | 'notificationBytesMax' | 'types'>;

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
  #changes: StoredText | undefined;
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
    const { event, subscription, type, subscribedKey } = candidate;
    const scriptView = subscription.preparation?.scriptView;
    // All matches of an event arrive one after the other.
    if (event.id !== this.#eventId) this.#startEvent(event.id);
    const store = (state: ObjectState | undefined, view: View | undefined) =>
      state && view ? this.#store(state, view, subscribedKey) : null;
    const stored = {
      shown: store(shown, viewOf(subscription, type)),
      svcObject: store(shown, scriptView),
      oldSvcObject: store(old, scriptView),
      changes: showsChanges(subscription) ? this.#storeChanges(event) : null,
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
      occurredAt: event.occurredAt,
      shownNo: stored.shown?.no ?? null,
      svcObjectNo: stored.svcObject?.no ?? null,
      oldSvcObjectNo: stored.oldSvcObject?.no ?? null,
      changesNo: stored.changes?.no ?? null,
      bytes: Object.values(stored).reduce((sum, each) => sum + (each?.bytes ?? 0), 0),
      errorMessage,
      isOrdered: subscription.isOrdered,
      isStreamed: subscription.isStreamed,
    };
  }

  #startEvent(id: number): void {
    this.#eventId = id;
    this.#stored = new Map();
    this.#changes = undefined;
    this.#nextNo = 0;
  }

  #storeChanges(event: ChangeEvent): StoredText {
    const { types, links } = this.#options;
    this.#changes ??= this.#add(renderChanges(event, types, links));
    return this.#changes;
  }

  #store(state: ObjectState, view: View, key: number): StoredText {
    const ofState = entryOf(this.#stored, state, () => new Map<View, StoredText>());
    return entryOf(ofState, view, () => {
      const { links, notificationBytesMax } = this.#options;
      const text = state.isCutOff(view) ? undefined : renderResource(state, view, key, links, notificationBytesMax);
      return text === undefined ? tooLarge : this.#add(text);
    });
  }

  #add(text: string): StoredText {
    this.#nextNo += 1;
    this.#texts.push({ eventId: this.#eventId, no: this.#nextNo, text });
    return { no: this.#nextNo, bytes: text.length };
  }
}
