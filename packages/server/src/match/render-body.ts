// Renders the body of a notification that needs no script or stylesheet. The body is rendered once, and every attempt
// sends the same bytes.

import { entryOf } from '../entry-of.ts';
import type { Model } from '../model/object-type.ts';
import type { View } from '../query/view.ts';
import type { Body, Content } from '../render/body.ts';
import { renderChanges } from '../render/render-changes.ts';
import { renderResource } from '../render/render-resource.ts';
import {
  type BodyOptions,
  isLarger,
  jsonType,
  renderDefaultBody,
  renderDefaultContent,
  tooLarge,
} from '../shape/default-body.ts';
import type { ObjectState } from '../snapshots/object-state.ts';
import { type Subscription, viewOf } from '../subscriptions/subscription.ts';
import type { Match } from './evaluate-candidates.ts';
import { occurrenceOf } from './judge-candidate.ts';

export interface RenderOptions extends BodyOptions {
  /** As subscribers see them. */
  types: Model['types'];
}

export type AttemptedBody =
  | { readonly kind: 'body'; readonly contentType: string; readonly body: Body }
  | { readonly kind: 'failure'; readonly contentType: string; readonly message: string };

/**
 * Renders each view of a state once, for all subscriptions that share it, and so what follows the start of their
 * bodies. A state is that of one event. Matches of one state arrive together.
 */
export class BodyRenderer {
  readonly #options: RenderOptions;
  #state: ObjectState | undefined;
  #resources = new Map<View, string | null>();
  #contents = newContents();

  constructor(options: RenderOptions) {
    this.#options = options;
  }

  render(match: Match, id: string): AttemptedBody {
    const { event, subscription } = match.candidate;
    const { rawObject } = subscription;
    const { notificationBytesMax } = this.#options;
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
    const content = this.#content(match, resource);
    const matched = { rawObject, eventTypes: subscription, occurrence: occurrenceOf(match.candidate) };
    const body = renderDefaultBody(head, matched, content, this.#options);
    if (isLarger(body, notificationBytesMax)) return failedBody(tooLarge(notificationBytesMax));
    return { kind: 'body', contentType: jsonType, body };
  }

  /** Null if the resource is too large. */
  #resource({ candidate: { subscription, type, subscribedKey }, shown }: Match): string | null {
    if (shown !== this.#state) this.#forgetState();
    this.#state = shown;
    const view = viewOf(subscription, type);
    const { links, notificationBytesMax } = this.#options;
    return entryOf(this.#resources, view, () =>
      shown.isCutOff(view) ? null : (renderResource(shown, view, subscribedKey, links, notificationBytesMax) ?? null),
    );
  }

  #content({ candidate: { event, subscription, type } }: Match, resource: string): Content {
    const { types, links } = this.#options;
    const { rawObject } = subscription;
    const hasChanges = showsChanges(subscription);
    const contents = this.#contents[rawObject ? 'raw' : hasChanges ? 'withChanges' : 'enveloped'];
    return entryOf(contents, viewOf(subscription, type), () => {
      const changes = hasChanges ? renderChanges(event, types, links) : undefined;
      return renderDefaultContent({ sequence: event.id, occurredAt: event.occurredAt }, rawObject, {
        resource,
        changes,
      });
    });
  }

  #forgetState(): void {
    this.#resources = new Map();
    this.#contents = newContents();
  }
}

/** Those of one state. */
function newContents() {
  return {
    raw: new Map<View, Content>(),
    enveloped: new Map<View, Content>(),
    withChanges: new Map<View, Content>(),
  };
}

/** Only the envelope shows them. */
export function showsChanges({ includeChanges, rawObject, preparation }: Subscription): boolean {
  return includeChanges && !rawObject && !preparation?.hasStylesheet;
}

export function failedBody(message: string): AttemptedBody {
  return { kind: 'failure', contentType: jsonType, message };
}
