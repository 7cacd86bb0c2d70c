// All settings of the process that answers: read-only, because they come from its environment.

import { useState } from 'preact/hooks';
import { Described } from '../../elements/described.tsx';
import { Section } from '../../elements/page.tsx';
import type { Setting } from './installation.ts';

export function Settings({ settings }: { settings: readonly Setting[] }) {
  const [text, setText] = useState('');
  const [isSetOnly, setSetOnly] = useState(false);
  const wanted = text.trim().toLowerCase();
  const shown = settings.filter(
    ({ variable, description, source }) =>
      (!isSetOnly || source === 'ENVIRONMENT') && `${variable} ${description}`.toLowerCase().includes(wanted),
  );
  return (
    <Section title="Settings">
      <p class="faint system-line">From the environment of the process that answers. A change needs a restart.</p>
      <div class="toolbar">
        <input
          type="search"
          aria-label="Find a setting"
          placeholder="Find a setting"
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <label class="check">
          <input type="checkbox" checked={isSetOnly} onChange={(event) => setSetOnly(event.currentTarget.checked)} />
          only those that are set
        </label>
      </div>
      {shown.length === 0 && <p class="faint">None.</p>}
      <dl class="system-settings">
        {shown.map((setting) => (
          <div key={setting.variable}>
            <dt>
              <span class="mono">{setting.variable}</span>
              <span class="mono">{valueText(setting)}</span>
              {setting.source === 'DEFAULT' && <span class="faint">default</span>}
            </dt>
            <dd class="faint">
              <Described text={setting.description} />
            </dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}

function valueText({ value, source, isSecret }: Setting): string {
  if (source === 'NOT_SET') return 'not set';
  if (isSecret) return '••••••';
  return value === '' ? '(empty)' : value!;
}
