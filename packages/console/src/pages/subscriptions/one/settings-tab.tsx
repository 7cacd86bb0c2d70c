// Every attribute as the service shows it, and the same subscription as a command.

import { CodeBlock } from '../../../elements/copied.tsx';
import { Section } from '../../../elements/page.tsx';
import { Link } from '../../../routing/link.tsx';
import { writeExactly } from '../../../service/exact-json.ts';
import { restUrl } from '../../../service/request.ts';
import { draftOf } from '../draft/draft.ts';
import { wholeBody } from '../draft/draft-body.ts';
import { indentJson } from '../indent-json.ts';
import { SettingsFacts } from './settings-facts.tsx';
import type { TabProps } from './tab-props.ts';

export function SettingsTab({ subscription, mayChange }: TabProps) {
  return (
    <>
      <Section
        title="Settings"
        actions={
          mayChange && subscription.state !== 'UNSUBSCRIBED' ? (
            <Link to={`/subscriptions/${subscription.key}/edit`} class="button">
              Edit
            </Link>
          ) : undefined
        }
      >
        <SettingsFacts subscription={subscription} isWhole />
      </Section>
      <Section title="As the API shows it">
        <CodeBlock text={indentJson(writeExactly(subscription))} label="JSON of the subscription" />
      </Section>
      <Section title="Create another one like it">
        <CodeBlock text={curlCommand(subscription)} label="curl command" />
      </Section>
    </>
  );
}

/** Secrets have to be filled in. */
function curlCommand(subscription: TabProps['subscription']): string {
  const body = Object.entries(wholeBody(draftOf(subscription))).filter(
    ([, value]) => value !== null && value !== false,
  );
  const json = indentJson(writeExactly(Object.fromEntries(body))).replaceAll("'", "'\\''");
  return [
    `curl ${window.location.origin}${restUrl}/WebhookSubscription \\`,
    '  -H "Authorization: Bearer $TOKEN" -H "Content-Type: application/json" \\',
    `  -d '${json}'`,
  ].join('\n');
}
