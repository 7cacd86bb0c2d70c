// "What has changed?": the events of all objects, of a type or of one object, newest first.

import type { Database, Run } from '../database/database.ts';
import { readEvent } from '../events/change-event.ts';
import { notificationsCountedMax } from '../model/catalogue/changes-operation.ts';
import { typesBelow } from '../model/hierarchy.ts';
import type { Model } from '../model/object-type.ts';
import { scopesNeeded } from '../model/scopes.ts';
import type { OperationCall, OperationHandler } from '../objects/action-call.ts';
import { onlyUserFor } from '../objects/caller.ts';
import type { Links } from '../query/view-columns.ts';
import { type ChangesRequest, readChangesRequest } from './changes-request.ts';
import {
  type ChangeRow,
  type ChangesFound,
  countNotifications,
  type NotificationsCounted,
  type Source,
  selectChangeIds,
  selectChanges,
} from './changes-table.ts';
import { findMembers } from './find-members.ts';
import { type Change, renderChangeList } from './render-change.ts';

export interface ChangesParts {
  database: Database;
  model: Model;
  links: Links;
}

export function readChanges({ database, model, links }: ChangesParts): OperationHandler {
  return (call) => {
    const request = readChangesRequest(call);
    return database.transaction(call.caller, async ({ run }) => {
      const { ids, next } = await findPage(model, request, run);
      const changes = ids.length > 0 ? await loadChanges(ids, { model, call, run }) : [];
      const rendered = await renderChangeList(changes, { model: call.model, links, run });
      // Those that were too large together are on the next page.
      const last = changes.length < ids.length ? changes.at(-1)?.event.id : undefined;
      return `{"changes":[${rendered.join(',')}],"next":${last ?? next}}`;
    });
  };
}

interface Page {
  /** Newest first. */
  ids: number[];
  next: number | null;
}

async function findPage(model: Model, request: ChangesRequest, run: Run): Promise<Page> {
  const { type, key, withHierarchy, changedType, operation, before, limit } = request;
  const source = await findSource(model, request, run);
  const wantedType = (changedType ?? (withHierarchy ? undefined : type))?.name;
  const isOfSource = source.kind === 'types' && source.names.every((name) => name === wantedType);
  const [[row] = []] = await run(
    selectChangeIds({
      source,
      objectType: wantedType === undefined || isOfSource ? null : wantedType,
      operation: operation ?? null,
      root: withHierarchy ? { type: type!.name, key: key ?? null } : null,
      before: before ?? null,
      limit,
    }),
  );
  const { ids, examined_from } = row as unknown as ChangesFound;
  const found = ids.map(Number);
  const examinedFrom = Number(examined_from);
  if (found.length > limit) return { ids: found.slice(0, limit), next: found[limit - 1]! };
  return { ids: found, next: examinedFrom === 0 ? null : examinedFrom };
}

/** The smallest source that has all events that are wanted. */
async function findSource(
  model: Model,
  { type, key, withHierarchy, changedType }: ChangesRequest,
  run: Run,
): Promise<Source> {
  if (key !== undefined && !withHierarchy) return { kind: 'objects', keys: [key] };
  if (!type) return changedType ? { kind: 'types', names: [changedType.name] } : { kind: 'all' };
  if (key !== undefined) {
    const keys = await findMembers(model, type, key, run);
    if (keys) return { kind: 'objects', keys };
  }
  const below = withHierarchy ? typesBelow(model, model.types.get(type.name)!) : [type];
  const names = below.map(({ name }) => name);
  return { kind: 'types', names: changedType ? names.filter((name) => name === changedType.name) : names };
}

/** What the rows of one answer may have in bytes. */
const rowBytesMax = 8_000_000;

interface Loading {
  model: Model;
  call: OperationCall;
  run: Run;
}

async function loadChanges(ids: readonly number[], { model, call, run }: Loading): Promise<Change[]> {
  const { caller, scopes } = call;
  const type = model.types.get('WebhookNotification')!;
  const mayCount = scopesNeeded(type.access.read).every((scope) => scopes.has(scope));
  const userKey = mayCount ? (onlyUserFor(type, caller) ?? null) : 0;
  const [rows = [], counted = []] = await run(
    selectChanges(ids, rowBytesMax),
    countNotifications(ids, userKey, notificationsCountedMax),
  );
  const counts = new Map(
    (counted as unknown as NotificationsCounted[]).map((each) => [Number(each.event_id), each.count]),
  );
  return (rows as unknown as ChangeRow[]).flatMap((row) => {
    const event = readEvent(row, model);
    return event ? [{ event, client: row.client, notificationCount: counts.get(event.id)! }] : [];
  });
}
