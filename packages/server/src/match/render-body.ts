// Renders the body of a notification that needs no script or stylesheet. The body is rendered once, and every attempt
// sends the same bytes.

import { entryOf } from '../entry-of.ts';
import type { Model } from '../model/object-type.ts';
import type { View } from '../query/view.ts';
import { renderChanges } from '../render/render-changes.ts';
import { renderResource } from '../render/render-resource.ts';
import { type BodyOptions, isLarger, jsonType, renderDefaultBody, tooLarge } from '../shape/default-body.ts';
import type { ObjectState } from '../snapshots/object-state.ts';
import { type Subscription, viewOf } from '../subscriptions/subscription.ts';
import type { Match } from './evaluate-candidates.ts';
import { occurrenceOf } from './judge-candidate.ts';

export interface RenderOptions extends BodyOptions {
  /** As subscribers see them. */
  types: Model['types'];
}

export type AttemptedBody =
  | { readonly kind: 'body'; readonly contentType: string; readonly body: string }
  | { readonly kind: 'failure'; readonly contentType: string; readonly message: string };

/** Renders each view of a state once, for all subscriptions that share it. Matches of one state arrive together. */
export class BodyRenderer {
  readonly #options: RenderOptions;
  #state: ObjectState | undefined;
  #resources = new Map<View, string | null>();

  constructor(options: RenderOptions) {
    this.#options = options;
  }

  render(match: Match, id: string): AttemptedBody {
    const { event, subscription } = match.candidate;
    const { rawObject } = subscription;
    const { notificationBytesMax, types, links } = this.#options;
    const resource = this.#resource(match);
    if (resource === null) return failedBody(tooLarge(notificationBytesMax));
    const head = {
      id,
      sequence: event.id,
      occurredAt: event.occurredAt,
      objectType: event.type.name,
      eventType: event.operation,
      objectKey: event.key,
      subscriptionKey: subscription.key,
    };
    const changes = showsChanges(subscription) ? renderChanges(event, types, links) : undefined;
    const matched = { rawObject, eventTypes: subscription, occurrence: occurrenceOf(match.candidate) };
    const body = renderDefaultBody(head, matched, { resource, changes }, this.#options);
    if (isLarger(body, notificationBytesMax)) return failedBody(tooLarge(notificationBytesMax));
    return { kind: 'body', contentType: jsonType, body };
  }

  /** Null if the resource is too large. */
  #resource({ candidate: { subscription, type, subscribedKey }, shown }: Match): string | null {
    if (shown !== this.#state) this.#resources = new Map();
    this.#state = shown;
    const view = viewOf(subscription, type);
    const { links, notificationBytesMax } = this.#options;
    return entryOf(this.#resources, view, () =>
      shown.isCutOff(view) ? null : (renderResource(shown, view, subscribedKey, links, notificationBytesMax) ?? null),
    );
  }
}

/** Only the envelope shows them. */
export function showsChanges({ includeChanges, rawObject, preparation }: Subscription): boolean {
  return includeChanges && !rawObject && !preparation?.hasStylesheet;
}

export function failedBody(message: string): AttemptedBody {
  return { kind: 'failure', contentType: jsonType, message };
}
