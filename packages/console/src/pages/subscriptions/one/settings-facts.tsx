// The settings of a subscription in words.

import { Fact, Facts } from '../../../elements/page.tsx';
import { Time } from '../../../elements/time.tsx';
import { Link } from '../../../routing/link.tsx';
import { channelWords, type RetryPolicy, type Subscription, targetOf } from '../api-subscription.ts';
import { draftOf } from '../draft/draft.ts';
import type { Selection } from '../draft/selection.ts';
import { eventTypesInWords } from '../event-type.ts';

interface SettingsFactsProps {
  subscription: Subscription;
  /** Also what is as it is by default. */
  isWhole?: boolean;
}

export function SettingsFacts({ subscription, isWhole = false }: SettingsFactsProps) {
  const { eventTypes, expression, user, createdDate, replaces, headers, ratePerSecond, ordering } = subscription;
  return (
    <div class="settings-facts">
      <Facts>
        <Fact name="What">
          {eventTypesInWords(eventTypes)} <code class="faint">{eventTypes.join(', ')}</code>
          {whatNotes(subscription).map((note) => (
            <p key={note}>{note}</p>
          ))}
        </Fact>
        <Fact name="When">{expression ? <code class="expression">{expression}</code> : 'Always'}</Fact>
        <Fact name="What is sent">
          <Content subscription={subscription} />
        </Fact>
        <Fact name="Where">
          {channelWords[subscription.channelInfo.channelType] ?? subscription.channelInfo.channelType}{' '}
          {targetOf(subscription)}
          {whereNotes(subscription).map((note) => (
            <p key={note}>{note}</p>
          ))}
        </Fact>
        {(headers || isWhole) && <Fact name="Headers">{headers ? Object.keys(headers).join(', ') : 'None'}</Fact>}
        <Fact name="If it fails">{failureText(subscription)}</Fact>
        {(ratePerSecond !== null || isWhole) && (
          <Fact name="Rate">{ratePerSecond === null ? 'No limit' : `At most ${ratePerSecond} per second`}</Fact>
        )}
        {(ordering === 'OBJECT' || isWhole) && (
          <Fact name="Order">
            {ordering === 'OBJECT' ? 'In the order of the changes to each object' : 'As fast as possible'}
          </Fact>
        )}
        <Fact name="User">{user.userCode ?? user.key}</Fact>
        <Fact name="Created">
          <Time at={createdDate} absolute />
          {replaces !== null && (
            <>
              , in place of <Link to={`/subscriptions/${replaces}`}>{replaces}</Link>
            </>
          )}
        </Fact>
      </Facts>
    </div>
  );
}

function whatNotes({ onlyMainObject, notSendMyChanges }: Subscription): string[] {
  return [
    ...(onlyMainObject ? ['Only changes to the object itself'] : []),
    ...(notSendMyChanges ? ["Not the user's own changes"] : []),
  ];
}

function Content({ subscription }: { subscription: Subscription }) {
  const { selection, stylesheet, bodyForm } = draftOf(subscription);
  const { dlpAlertScript, useMsg, includeChanges, scriptParameterValues } = subscription;
  return (
    <>
      <p>
        {selection ? <>Chosen fields: {fieldsText(selection)}</> : 'Everything'}
        {bodyForm === 'OBJECT' && ', the object alone'}
        {bodyForm === 'STYLESHEET' && `, made by a stylesheet of ${stylesheet.split('\n').length} lines`}
        {includeChanges && ', with the changes'}
      </p>
      {dlpAlertScript && (
        <p>
          Script {dlpAlertScript} {useMsg ? 'decides and writes the message' : 'decides'}
          {scriptParameterValues && `, with ${parametersText(scriptParameterValues)}`}
        </p>
      )}
    </>
  );
}

/** For example `eta, port (portName, unLoCode)`. */
function fieldsText(selection: Selection): string {
  return Object.entries(selection)
    .map(([name, inside]) => (inside === '*' ? name : `${name} (${fieldsText(inside)})`))
    .join(', ');
}

function parametersText(values: Record<string, unknown>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name} = ${JSON.stringify(value)}`)
    .join(', ');
}

function whereNotes({ channelInfo, webhookUsername, acknowledgeSeconds }: Subscription): string[] {
  const { auth, subject } = channelInfo;
  return [
    ...(subject ? [`Subject ${subject}`] : []),
    ...(webhookUsername ? [`User ${webhookUsername}, with a password`] : []),
    ...(auth?.type === 'OAUTH2' ? [`OAuth 2.0 as ${auth.clientId} by ${auth.tokenUrl}`] : []),
    ...(auth?.type === 'MTLS' ? ['Client certificate'] : []),
    ...(auth?.type === 'CREDENTIALS' ? ['Credentials file'] : []),
    ...(acknowledgeSeconds === null ? [] : [`Acknowledged within ${acknowledgeSeconds} s, or sent again`]),
  ];
}

function failureText({ channelInfo, retryPolicy, doNotUnsubscribe }: Subscription): string {
  if (channelInfo.channelType === 'STREAM') return 'It is kept until it is acknowledged.';
  const end = doNotUnsubscribe ? 'the notification fails' : 'it is deactivated';
  return `${retryText(retryPolicy)}, then ${end}`;
}

function retryText(policy: RetryPolicy | null): string {
  if (!policy) return 'Attempts as the service does';
  const { attempts, intervalSeconds, backoff } = policy;
  const interval = intervalSeconds === undefined ? '' : ` ${waitText(Number(intervalSeconds))}`;
  const count = attempts === undefined ? 'Attempts' : `${attempts} attempts`;
  return backoff === 'EXPONENTIAL' ? `${count}, first after${interval}, then doubling` : `${count}, every${interval}`;
}

/** Exact: 90 seconds are not two minutes. */
function waitText(seconds: number): string {
  if (seconds % 3_600 === 0) return `${seconds / 3_600} h`;
  return seconds % 60 === 0 ? `${seconds / 60} min` : `${seconds} s`;
}
