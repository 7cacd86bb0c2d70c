// The editor of a new subscription: empty, a copy of another one (`?copy=`), or one that replaces a deactivated one
// (`?replaces=`).

import { useState } from 'preact/hooks';
import { Loading } from '../../../elements/loading.tsx';
import { Page } from '../../../elements/page.tsx';
import { loadModel, type Model } from '../../../model/model.ts';
import { Link } from '../../../routing/link.tsx';
import { navigate, place } from '../../../routing/location.ts';
import { request } from '../../../service/request.ts';
import { useLoaded } from '../../../service/use-loaded.ts';
import { session } from '../../../session/session.ts';
import { nameOf, type Subscription } from '../api-subscription.ts';
import { loadSubscription } from '../load-subscription.ts';
import { seesAllUsers } from '../sees-all-users.ts';
import '../subscriptions.css';
import { type Draft, draftOf, emptyDraft } from '../draft/draft.ts';
import { newBody } from '../draft/draft-body.ts';
import { missingSecrets } from '../draft/missing-secrets.ts';
import { useDraft } from '../draft/use-draft.ts';
import { CreatedDialog, type CreatedSubscription } from './created-dialog.tsx';
import { Editor } from './editor.tsx';

export function NewSubscriptionPage() {
  const { query } = place.value;
  const replaces = query.get('replaces');
  const isInstead = query.get('instead') !== null;
  const source = replaces ?? query.get('copy');
  const loaded = useLoaded(
    async (signal) => ({
      model: await loadModel(),
      subscription: source === null ? undefined : (await loadSubscription(source, signal)).subscription,
    }),
    [source],
  );
  return (
    <Page
      title={replaces === null ? 'New subscription' : 'Replace a subscription'}
      above={<Link to="/subscriptions">Subscriptions</Link>}
    >
      <Loading of={loaded}>
        {({ model, subscription }) => (
          <NewEditor
            key={`${source} ${replaces}`}
            model={model}
            source={subscription}
            isReplacing={replaces !== null}
            isInstead={isInstead}
          />
        )}
      </Loading>
    </Page>
  );
}

interface NewEditorProps {
  model: Model;
  source: Subscription | undefined;
  /** It takes over all settings, event types included, and the old one is unsubscribed. */
  isReplacing: boolean;
  /** After it is created, the old one can be unsubscribed. */
  isInstead: boolean;
}

function NewEditor({ model, source, isReplacing, isInstead }: NewEditorProps) {
  const [start] = useState(() => startOf(source, isReplacing || isInstead));
  const edited = useDraft(
    `/subscriptions/new${source ? `?${isReplacing ? 'replaces' : 'copy'}=${source.key}` : ''}`,
    start,
  );
  const [created, setCreated] = useState<CreatedSubscription | undefined>(undefined);
  const replaces = isReplacing ? source?.key : undefined;
  const save = async () => {
    const body = newBody(edited.draft, { isAdmin: seesAllUsers(), replaces });
    const subscription = await request<CreatedSubscription>('/WebhookSubscription', { method: 'POST', body });
    edited.finish();
    setCreated(subscription);
  };
  return (
    <>
      <Editor
        model={model}
        edited={edited}
        isReplacing={isReplacing}
        action={isReplacing ? 'Replace' : 'Create'}
        back={source ? `/subscriptions/${source.key}` : '/subscriptions'}
        save={save}
      >
        {source && <SourceNote source={source} isReplacing={isReplacing} isInstead={isInstead} />}
      </Editor>
      {created && (
        <CreatedDialog
          created={created}
          former={isInstead ? source : undefined}
          onClose={() => navigate(`/subscriptions/${created.key}`)}
        />
      )}
    </>
  );
}

function startOf(source: Subscription | undefined, keepsName: boolean): Draft {
  if (!source) return emptyDraft;
  const draft = draftOf(source);
  const headers = draft.headers.map(({ name }) => ({ name, value: '' }));
  const isOwn = source.user.key === session.peek()?.user.key;
  return {
    ...draft,
    headers,
    name: keepsName || !draft.name ? draft.name : `${draft.name} (copy)`,
    user: isOwn ? '' : draft.user,
  };
}

type SourceNoteProps = Pick<NewEditorProps, 'isReplacing' | 'isInstead'> & { source: Subscription };

function SourceNote({ source, isReplacing, isInstead }: SourceNoteProps) {
  const secrets = missingSecrets(source);
  return (
    <p class="note">
      {isReplacing || isInstead ? 'It replaces ' : 'A copy of '}
      <Link to={`/subscriptions/${source.key}`}>{nameOf(source)}</Link>
      {isReplacing && ', which is unsubscribed. What has failed there is sent again here'}
      {isInstead && ', which you can unsubscribe when this one is created'}.
      {secrets.length > 0 && ` Enter again, because they are never shown: ${secrets.join(', ')}.`}
    </p>
  );
}
