// One subscription: its state, its health, what it sent and why or why not, and everything that can be done with it.

import { Copied } from '../../../elements/copied.tsx';
import { Loading } from '../../../elements/loading.tsx';
import { Page } from '../../../elements/page.tsx';
import { StatusMark } from '../../../elements/status-mark.tsx';
import { chosenTab, Tabs } from '../../../elements/tabs.tsx';
import { Link } from '../../../routing/link.tsx';
import type { PageProps } from '../../../routing/page-props.ts';
import { useFeedReload } from '../../../service/use-feed-reload.ts';
import { useLoaded } from '../../../service/use-loaded.ts';
import { hasScope } from '../../../session/session.ts';
import { viewedUser } from '../../../session/viewed-user.ts';
import { channelWords, nameOf, type Subscription, statusOf, targetOf } from '../api-subscription.ts';
import { eventTypesInWords } from '../event-type.ts';
import { loadSubscription } from '../load-subscription.ts';
import { PingResult, usePing } from '../ping.tsx';
import '../subscriptions.css';
import { Actions } from './actions.tsx';
import { DecisionsTab } from './decisions-tab.tsx';
import { NotificationsTab } from './notifications-tab.tsx';
import './one.css';
import { OverviewTab } from './overview-tab.tsx';
import { SettingsTab } from './settings-tab.tsx';
import { StateBanner } from './state-banner.tsx';
import type { TabProps } from './tab-props.ts';

const tabs = [
  { id: 'overview', title: 'Overview' },
  { id: 'notifications', title: 'Notifications' },
  { id: 'decisions', title: 'Decisions' },
  { id: 'settings', title: 'Settings' },
];

export function SubscriptionPage({ key: text }: PageProps) {
  const key = Number(text);
  const loaded = useLoaded(async (signal) => (await loadSubscription(key, signal)).subscription, [key]);
  const { reload } = loaded;
  useFeedReload(loaded, { subscriptions: ({ keys }) => keys.includes(key) });
  const { ping, result } = usePing(key);
  const subscription = loaded.value;
  const mayChange = hasScope('webhook') && !viewedUser.value;
  return (
    <Page
      title={subscription ? nameOf(subscription) : `Subscription ${text}`}
      above={<Link to="/subscriptions">Subscriptions</Link>}
      actions={
        subscription && mayChange ? <Actions subscription={subscription} onPing={ping} onChanged={reload} /> : undefined
      }
    >
      <Loading of={loaded}>
        {(value) => (
          <>
            <Headline subscription={value} />
            <StateBanner subscription={value} mayChange={mayChange} />
            {result && <PingResult result={result} />}
            <Tabs label="Subscription" tabs={tabs} />
            <TabContent subscription={value} onChanged={reload} mayChange={mayChange} />
          </>
        )}
      </Loading>
    </Page>
  );
}

function Headline({ subscription }: { subscription: Subscription }) {
  const { key, eventTypes, channelInfo } = subscription;
  return (
    <p class="headline">
      <StatusMark status={statusOf(subscription)} />
      <span class="faint">
        Key <Copied text={key} label="Copy the key" />
      </span>
      <span>{eventTypesInWords(eventTypes)}</span>
      <span class="faint">
        {channelWords[channelInfo.channelType] ?? channelInfo.channelType} {targetOf(subscription)}
      </span>
    </p>
  );
}

function TabContent(props: TabProps) {
  switch (chosenTab(tabs)) {
    case 'notifications':
      return <NotificationsTab subscriptionKey={props.subscription.key} />;
    case 'decisions':
      return <DecisionsTab subscription={props.subscription} />;
    case 'settings':
      return <SettingsTab {...props} />;
    default:
      return <OverviewTab subscription={props.subscription} mayChange={props.mayChange} />;
  }
}
