// Chooses subscriptions by their names.

import { useState } from 'preact/hooks';
import { Check, TextField } from '../../elements/field.tsx';
import { Failure } from '../../elements/loading.tsx';
import { place } from '../../routing/location.ts';
import { request } from '../../service/request.ts';
import { useDebounced } from '../../service/use-debounced.ts';
import { useLoaded } from '../../service/use-loaded.ts';
import { type NamedSubscription, patternFilter, remember } from './subscription-names.ts';
import { toggleFilter } from './toggle-filter.ts';

const shownMax = 30;

export function SubscriptionEditor() {
  const [text, setText] = useState('');
  const searched = useDebounced(text.trim(), 250);
  const found = useLoaded((signal) => findSubscriptions(searched, signal), [searched]);
  const chosen = place.value.query.getAll('subscription');
  return (
    <>
      <TextField label="Name of the subscription" type="search" value={text} onInput={setText} />
      {found.kind === 'failed' && <Failure error={found.error} retry={found.reload} />}
      {(found.value ?? []).map(({ key, name }) => (
        <Check
          key={key}
          label={name || <span class="mono">{key}</span>}
          isChecked={chosen.includes(String(key))}
          onChange={(isChosen) => toggleFilter('subscription', String(key), isChosen)}
        />
      ))}
      {found.kind === 'ready' && found.value.length === 0 && <p class="faint">No subscription has this name.</p>}
    </>
  );
}

async function findSubscriptions(text: string, signal: AbortSignal): Promise<NamedSubscription[]> {
  const found = await request<NamedSubscription[]>('/WebhookSubscription', {
    query: { filter: text === '' ? [] : patternFilter(text), sort: 'name(ASI)', limit: shownMax },
    fields: { name: '*' },
    headers: { nocount: 'YES' },
    signal,
  });
  remember(found);
  return found;
}
