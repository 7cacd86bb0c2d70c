// One script: its code, its parameters, and the subscriptions that use it.

import { Empty, Loading } from '../../elements/loading.tsx';
import { Page, Section } from '../../elements/page.tsx';
import { StatusMark } from '../../elements/status-mark.tsx';
import { Link } from '../../routing/link.tsx';
import type { PageProps } from '../../routing/page-props.ts';
import { quoted } from '../../service/filter-value.ts';
import { request } from '../../service/request.ts';
import { useLoaded } from '../../service/use-loaded.ts';
import { hasScope } from '../../session/session.ts';
import type { AlertScript } from './alert-script.ts';
import { ScriptForm } from './script-form.tsx';

const newScript: AlertScript = {
  key: 0,
  code: '',
  name: '',
  description: null,
  body: '// Return true to notify. The variables are svcObject, oldSvcObject, user, parameters and message.\nreturn true;\n',
  parameters: [],
  fields: null,
};

export function NewScriptPage() {
  return (
    <Page title="New script" above={<Link to="/scripts">Scripts</Link>}>
      <ScriptForm script={newScript} onSaved={() => undefined} />
    </Page>
  );
}

export function ScriptPage({ key }: PageProps) {
  const loaded = useLoaded((signal) => request<AlertScript>(`/AlertScript/${key}`, { signal }), [key]);
  return (
    <Page title={loaded.value?.name ?? `Script ${key}`} above={<Link to="/scripts">Scripts</Link>}>
      <Loading of={loaded}>
        {(script) => (
          <>
            <ScriptForm key={script.key} script={script} onSaved={loaded.reload} />
            {hasScope('webhook') && <Users code={script.code} />}
          </>
        )}
      </Loading>
    </Page>
  );
}

interface UsingSubscription {
  key: number;
  name: string | null;
  eventTypes: string[];
  state: string;
}

function Users({ code }: { code: string }) {
  const loaded = useLoaded(
    (signal) => {
      const query = { filter: `dlpAlertScript(EQ)${quoted(code)}`, limit: 100, pageNumber: 1 };
      return request<UsingSubscription[]>('/WebhookSubscription', { query, signal });
    },
    [code],
  );
  return (
    <Section title="Used by">
      <Loading of={loaded}>
        {(subscriptions) =>
          subscriptions.length === 0 ? (
            <Empty>No subscription of yours uses this script.</Empty>
          ) : (
            <ul>
              {subscriptions.map(({ key, name, eventTypes, state }) => (
                <li key={key}>
                  <Link to={`/subscriptions/${key}`}>{name ?? `Subscription ${key}`}</Link>{' '}
                  <span class="faint">{eventTypes.join(', ')}</span> <StatusMark status={state} />
                </li>
              ))}
            </ul>
          )
        }
      </Loading>
    </Section>
  );
}
