// How a program reads and changes what the page shows: with curl, and with the SDK.

import { CodeBlock } from '../../elements/copied.tsx';
import { Section } from '../../elements/page.tsx';
import type { ModelType } from '../../model/model.ts';
import { restUrl } from '../../service/request.ts';

export function ObjectApi({ type, objectKey }: { type: ModelType; objectKey: number }) {
  const url = `${window.location.origin}${restUrl}/${type.name}/${objectKey}`;
  const changed = type.attributes.find(({ kind, isReadOnly, isFixed }) => kind === 'text' && !isReadOnly && !isFixed);
  const change = changed?.name ?? 'externalObjectKey';
  return (
    <>
      <Section title="curl">
        <CodeBlock
          label="Commands of curl"
          text={`curl '${url}' -H "Authorization: Bearer $TOKEN"

curl -X PUT '${url}' -H "Authorization: Bearer $TOKEN" \\
  -H 'Content-Type: application/json' -d '{"${change}": "…"}'`}
        />
      </Section>
      <Section title="SDK">
        <CodeBlock
          label="Code with the SDK"
          text={`import { createClient } from '@flaghoist/sdk';

const flaghoist = createClient({
  url: '${window.location.origin}${restUrl.replace(/\/ws\/rest$/, '')}',
  clientId: process.env.FLAGHOIST_CLIENT_ID!,
  clientSecret: process.env.FLAGHOIST_CLIENT_SECRET!,
});
const object = await flaghoist.get('${type.name}', ${objectKey});
await flaghoist.update(object, { ${change}: '…' });`}
        />
      </Section>
      <Section title="Hear of its changes">
        <CodeBlock
          label="Command that listens"
          text={`npx flaghoist listen --event ${type.name}.U --object ${objectKey}`}
        />
      </Section>
    </>
  );
}
