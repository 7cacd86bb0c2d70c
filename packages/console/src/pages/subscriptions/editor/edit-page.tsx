// The editor of a subscription that exists. What is fixed is shown, with a way to a new one that replaces it.

import { useState } from 'preact/hooks';
import { Button } from '../../../elements/button.tsx';
import { Empty, Loading } from '../../../elements/loading.tsx';
import { notify } from '../../../elements/notices.tsx';
import { Page } from '../../../elements/page.tsx';
import { loadModel, type Model } from '../../../model/model.ts';
import { Link } from '../../../routing/link.tsx';
import { navigate } from '../../../routing/location.ts';
import type { PageProps } from '../../../routing/page-props.ts';
import { request } from '../../../service/request.ts';
import { ServiceError } from '../../../service/service-error.ts';
import { useLoaded } from '../../../service/use-loaded.ts';
import { nameOf } from '../api-subscription.ts';
import { type LoadedSubscription, loadSubscription } from '../load-subscription.ts';
import { PingResult, usePing } from '../ping.tsx';
import '../subscriptions.css';
import { channelUses } from '../draft/channel-uses.ts';
import { draftOf } from '../draft/draft.ts';
import { changedBody } from '../draft/draft-body.ts';
import { type EditedDraft, useDraft } from '../draft/use-draft.ts';
import { Editor } from './editor.tsx';

export function EditSubscriptionPage({ key }: PageProps) {
  const loaded = useLoaded(
    async (signal) => ({ model: await loadModel(), stored: await loadSubscription(key!, signal) }),
    [key],
  );
  const name = loaded.value ? nameOf(loaded.value.stored.subscription) : `Subscription ${key}`;
  return (
    <Page
      title={`Edit ${name}`}
      above={
        <>
          <Link to="/subscriptions">Subscriptions</Link> › <Link to={`/subscriptions/${key}`}>{name}</Link>
        </>
      }
    >
      <Loading of={loaded}>
        {({ model, stored }) =>
          stored.subscription.state === 'UNSUBSCRIBED' ? (
            <Empty action={<Link to={`/subscriptions/new?copy=${key}`}>Create a copy</Link>}>
              It is unsubscribed, and can no longer be changed.
            </Empty>
          ) : (
            <SavedEditor model={model} stored={stored} />
          )
        }
      </Loading>
    </Page>
  );
}

function SavedEditor({ model, stored: { subscription, etag } }: { model: Model; stored: LoadedSubscription }) {
  const { key } = subscription;
  const [saved] = useState(() => draftOf(subscription));
  const edited = useDraft(`/subscriptions/${key}/edit`, saved);
  const save = async () => {
    const body = changedBody(edited.draft, saved);
    const headers: Record<string, string> = etag ? { 'if-match': etag } : {};
    try {
      await request(`/WebhookSubscription/${key}`, { method: 'PUT', body, headers });
    } catch (error) {
      if (error instanceof ServiceError && error.status === 412)
        throw new Error(
          'Somebody has changed this subscription meanwhile. Open it again, and make your changes there.',
        );
      throw error;
    }
    edited.finish();
    notify('Saved. It holds for changes from now on.');
    setTimeout(() => navigate(`/subscriptions/${key}`));
  };
  return (
    <Editor
      model={model}
      edited={edited}
      saved={{ key, draft: saved }}
      isReplacing={false}
      action="Save"
      back={`/subscriptions/${key}`}
      save={save}
    >
      <p class="note">
        {subscription.state === 'DEACTIVATED' ? (
          <>
            It is deactivated and stays so.{' '}
            <Link to={`/subscriptions/new?replaces=${key}`}>Replace it by a new one</Link>.
          </>
        ) : (
          <>
            Event types, the form of the body and the order are fixed. To change them,{' '}
            <Link to={`/subscriptions/new?copy=${key}&instead=yes`}>make a new one that replaces this</Link>.
          </>
        )}
      </p>
      {channelUses[subscription.channelInfo.channelType].isPinged && (
        <PingSaved subscriptionKey={key} edited={edited} />
      )}
    </Editor>
  );
}

function PingSaved({ subscriptionKey, edited: { isChanged } }: { subscriptionKey: number; edited: EditedDraft }) {
  const { ping, result } = usePing(subscriptionKey);
  return (
    <div class="note">
      <Button onClick={ping} disabled={isChanged} title={isChanged ? 'Save first' : undefined}>
        Send a test
      </Button>{' '}
      <span class="faint">
        {isChanged ? 'Save first: a test goes where saved notifications go.' : 'to the saved address'}
      </span>
      {result && <PingResult result={result} />}
    </div>
  );
}
