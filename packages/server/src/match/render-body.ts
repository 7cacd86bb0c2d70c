// Renders the body of a notification: the envelope around the object, or the object alone. The body is rendered once,
// and every attempt sends the same bytes.

import { entryOf } from '../entry-of.ts';
import type { View } from '../query/view.ts';
import type { Links } from '../query/view-columns.ts';
import type { WireNames } from '../render/render-envelope.ts';
import { isLarger, jsonType, renderNotification, tooLarge } from '../render/render-notification.ts';
import { renderResource } from '../render/render-resource.ts';
import type { ObjectState } from '../snapshots/object-state.ts';
import { renderEventType } from '../subscriptions/event-type.ts';
import type { Match } from './evaluate-candidates.ts';

export interface BodyOptions {
  links: Links;
  wireNames: WireNames;
  notificationBytesMax: number;
}

export type AttemptedBody =
  | { readonly kind: 'body'; readonly contentType: string; readonly body: string }
  | { readonly kind: 'failure'; readonly contentType: string; readonly message: string };

/**
 * Renders each view of an object once per event, for all subscriptions that share it. Matches arrive grouped by event.
 */
export class BodyRenderer {
  readonly #options: BodyOptions;
  #state: ObjectState | undefined;
  #resources = new Map<View, Map<number, string | null>>();

  constructor(options: BodyOptions) {
    this.#options = options;
  }

  render(match: Match, id: string): AttemptedBody {
    const { notificationBytesMax } = this.#options;
    const resource = this.#resource(match);
    const body = resource === null ? null : this.#body(match, id, resource);
    if (body === null || isLarger(body, notificationBytesMax)) return failedBody(tooLarge(notificationBytesMax));
    return { kind: 'body', contentType: jsonType, body };
  }

  #body(match: Match, id: string, resource: string): string {
    const { event, subscription } = match.candidate;
    const { links, wireNames } = this.#options;
    const parts = {
      id,
      eventTime: event.time,
      objectType: event.type.name,
      eventType: event.operation,
      objectKey: event.key,
      subscription: { key: subscription.key, eventType: this.#eventType(match) },
      rawObject: subscription.rawObject,
      resource,
    };
    return renderNotification(parts, { restUrl: links.restUrl, wireNames });
  }

  #eventType({ candidate: { subscription } }: Match): string {
    if (this.#options.wireNames === 'dataloy') return subscription.operation;
    return renderEventType({
      objectType: subscription.type.name,
      operation: subscription.operation,
      objectKey: subscription.objectKey,
    });
  }

  /** Null if the resource is too large. */
  #resource({ candidate: { subscription, subscribedKey }, shown }: Match): string | null {
    if (shown !== this.#state) this.#resources = new Map();
    this.#state = shown;
    const { view } = subscription;
    const { links, notificationBytesMax } = this.#options;
    const ofView = entryOf(this.#resources, view, () => new Map<number, string | null>());
    return entryOf(ofView, subscribedKey, () =>
      shown.isCutOff(view) ? null : (renderResource(shown, view, subscribedKey, links, notificationBytesMax) ?? null),
    );
  }
}

export function failedBody(message: string): AttemptedBody {
  return { kind: 'failure', contentType: jsonType, message };
}
