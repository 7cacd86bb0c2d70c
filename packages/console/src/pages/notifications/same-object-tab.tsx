// The notifications of the same object before and after this one, by the numbers of their changes.

import { Check } from '../../elements/field.tsx';
import { Loading } from '../../elements/loading.tsx';
import { StatusMark } from '../../elements/status-mark.tsx';
import { Time } from '../../elements/time.tsx';
import { Link } from '../../routing/link.tsx';
import { place, setQuery } from '../../routing/location.ts';
import { request } from '../../service/request.ts';
import { useLoaded } from '../../service/use-loaded.ts';
import {
  eventName,
  type Notification,
  type NotificationRow,
  rowFields,
  shownStatus,
  subscriptionName,
} from './notification.ts';

/** On each side. */
const neighboursMax = 10;

export function SameObjectTab({ notification }: { notification: Notification }) {
  const hasAll = place.value.query.get('all') === 'true';
  const { key, sequence, subscribedObjectKey, subscription } = notification;
  const loaded = useLoaded(
    async (signal) => {
      const filter = [
        `subscribedObjectKey(EQ)${subscribedObjectKey}`,
        ...(hasAll ? [] : [`subscription(EQ)${subscription.key}`]),
      ];
      const [older, newer] = await Promise.all([
        loadNeighbours([...filter, `sequence(LTE)${sequence}`], 'DS', signal),
        loadNeighbours([...filter, `sequence(GT)${sequence}`], 'AS', signal),
      ]);
      return [...newer.reverse(), ...older];
    },
    [key, hasAll],
  );
  return (
    <>
      <Check
        label="Of all subscriptions"
        isChecked={hasAll}
        onChange={(isChecked) => setQuery({ all: isChecked ? 'true' : undefined }, { replace: true })}
      />
      <Loading of={loaded}>
        {(rows) => (
          <table class="plain">
            <thead>
              <tr>
                <th scope="col">Time</th>
                <th scope="col">Event</th>
                {hasAll && <th scope="col">Subscription</th>}
                <th scope="col">Status</th>
                <th scope="col" class="number">
                  Sequence
                </th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <Neighbour key={row.key} row={row} isThis={row.key === key} hasSubscription={hasAll} />
              ))}
            </tbody>
          </table>
        )}
      </Loading>
    </>
  );
}

interface NeighbourProps {
  row: NotificationRow;
  isThis: boolean;
  hasSubscription: boolean;
}

function Neighbour({ row, isThis, hasSubscription }: NeighbourProps) {
  return (
    <tr class={isThis ? 'this' : undefined} aria-current={isThis ? 'true' : undefined}>
      <td>
        <Time at={row.occurredAt} absolute />
      </td>
      <td>
        {isThis ? eventName(row) : <Link to={`/notifications/${row.key}`}>{eventName(row)}</Link>}{' '}
        <span class="mono faint">{row.objectKey}</span>
      </td>
      {hasSubscription && <td>{subscriptionName(row)}</td>}
      <td>
        <StatusMark status={shownStatus(row)} />
      </td>
      <td class="number mono">{row.sequence}</td>
    </tr>
  );
}

function loadNeighbours(filter: string[], direction: 'AS' | 'DS', signal: AbortSignal): Promise<NotificationRow[]> {
  return request<NotificationRow[]>('/WebhookNotification', {
    query: { filter, sort: `sequence(${direction})`, limit: neighboursMax },
    fields: rowFields,
    headers: { nocount: 'YES' },
    signal,
  });
}
