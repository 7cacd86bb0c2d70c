// Tries a draft on recent changes, after a pause in typing. Nothing is stored or sent.

import { useEffect, useState } from 'preact/hooks';
import type { Evaluation } from '../../../../elements/evaluation-tree.tsx';
import { request } from '../../../../service/request.ts';
import { ServiceError } from '../../../../service/service-error.ts';
import type { Draft } from '../../draft/draft.ts';
import { type Body, changedBody, newBody } from '../../draft/draft-body.ts';

export interface SentBody {
  contentType: string;
  text: string;
  bytes: number;
  /** Of a mail, if the script has set one. */
  subject: string | null;
}

export interface RecentChange {
  id: number;
  /** Type of the changed object and operation. */
  event: string;
  objectType: string;
  objectKey: number;
  name: string | null;
  occurredAt: string;
  subscribedObjectType: string;
  subscribedObjectKey: number;
  isMatch: boolean;
  reason: string;
  message: string;
  /** Of a change that does not match. */
  evaluation: Evaluation | null;
  /** Of the newest matches. */
  body: SentBody | null;
  log: string[] | null;
}

export interface Recent {
  changes: RecentChange[];
  matched: number;
  examined: number;
}

export type TriedDraft =
  /** Not complete enough to try. */
  | { kind: 'waiting' }
  | { kind: 'trying'; recent: Recent | undefined }
  | { kind: 'tried'; recent: Recent }
  | { kind: 'rejected'; error: unknown };

/** A subscription that exists, and its draft before anything was changed. */
export interface SavedDraft {
  key: number;
  draft: Draft;
}

const pauseMs = 500;

export function useRecent(draft: Draft, saved: SavedDraft | undefined): TriedDraft {
  const subscription = saved ? { key: saved.key, ...shapingOf(changedBody(draft, saved.draft)) } : triedBody(draft);
  const [tried, setTried] = useState<TriedDraft>({ kind: 'waiting' });
  useEffect(() => {
    if (!subscription) {
      setTried({ kind: 'waiting' });
      return;
    }
    const abort = new AbortController();
    setTried((before) => ({ kind: 'trying', recent: 'recent' in before ? before.recent : undefined }));
    const timer = setTimeout(async () => {
      try {
        const body = { subscription };
        const recent = await request<Recent>('/WebhookSubscription/testRecent', {
          method: 'POST',
          body,
          signal: abort.signal,
        });
        setTried({ kind: 'tried', recent });
      } catch (error) {
        if (!abort.signal.aborted) setTried({ kind: 'rejected', error });
      }
    }, pauseMs);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [JSON.stringify(subscription)]);
  return tried;
}

/** One change can be notified for several objects. */
export function changeKey({ id, subscribedObjectKey }: RecentChange): string {
  return `${id} ${subscribedObjectKey}`;
}

/** A stream needs no address, so that a draft can be tried before it has one. */
function triedBody(draft: Draft): Body | undefined {
  const body = newBody(draft, { isAdmin: true, replaces: undefined });
  if ((body.eventTypes as string[]).length === 0) return undefined;
  return { ...shapingOf(body), channelInfo: { channelType: 'STREAM' } };
}

/** What decides about matches and bodies. */
const shapingAttributes = new Set([
  ...['eventTypes', 'onlyMainObject', 'notSendMyChanges', 'user', 'expression', 'json', 'rawObject', 'includeChanges'],
  ...['xsl', 'dlpAlertScript', 'scriptParameterValues', 'useMsg'],
]);

function shapingOf(body: Body): Body {
  return Object.fromEntries(Object.entries(body).filter(([name]) => shapingAttributes.has(name)));
}

/** What keeps the draft from being tried. */
export function rejectionsOf(error: unknown): string[] {
  return error instanceof ServiceError
    ? error.violations.map(({ path, message }) => `${path.replace(/^subscription\./, '')}: ${message}`)
    : [];
}
