// The form for a new object. What must be sent comes first; the parts that the type needs are made with it.

import { useState } from 'preact/hooks';
import { Button } from '../../elements/button.tsx';
import { Empty, Loading } from '../../elements/loading.tsx';
import { notify } from '../../elements/notices.tsx';
import { objectPath } from '../../elements/object-link.tsx';
import { Page } from '../../elements/page.tsx';
import { loadModel, type Model, type ModelType } from '../../model/model.ts';
import { Link } from '../../routing/link.tsx';
import { navigate, place } from '../../routing/location.ts';
import type { PageProps } from '../../routing/page-props.ts';
import { request } from '../../service/request.ts';
import { useLoaded } from '../../service/use-loaded.ts';
import { useViolations } from '../../service/use-violations.ts';
import type { WholeObject } from './load-object.ts';
import './objects.css';
import { AffectedSubscriptions } from './affected-subscriptions.tsx';
import { AttributeField } from './attribute-field.tsx';
import { type Draft, isComplete, newAttributes } from './draft.ts';
import { areComplete, bodyOf, emptyParts, NewParts, type PartDrafts } from './new-parts.tsx';

export function NewObjectPage({ type: name }: PageProps) {
  const loaded = useLoaded(loadModel, []);
  return (
    <Page title={`New ${name}`} above={<Link to={`/objects/${name}`}>{name}</Link>}>
      <Loading of={loaded}>
        {(model) => {
          const type = model.byName.get(name!);
          if (!type?.access.canCreate) return <Empty>You cannot create objects of the type “{name}”.</Empty>;
          return <NewObject type={type} model={model} />;
        }}
      </Loading>
    </Page>
  );
}

function NewObject({ type, model }: { type: ModelType; model: Model }) {
  const attributes = newAttributes(type);
  const [draft, setDraft] = useState<Draft>(() => Object.fromEntries(place.peek().query));
  const [parts, setParts] = useState<PartDrafts>(() => emptyParts(type, model));
  const { errorOf, attempt } = useViolations(attributes.map(({ name }) => name));
  const save = () =>
    attempt(async () => {
      const body = bodyOf(type, model, draft, parts);
      const made = await request<WholeObject>(`/${type.name}`, { method: 'POST', body });
      notify(`${type.label} ${made.key} is created.`);
      navigate(objectPath(type.name, made.key));
    });
  return (
    <form
      class="form object-form"
      onSubmit={(event) => {
        event.preventDefault();
      }}
    >
      {attributes.map((attribute) => (
        <AttributeField
          key={attribute.name}
          attribute={attribute}
          model={model}
          value={draft[attribute.name] ?? ''}
          onInput={(value) => setDraft({ ...draft, [attribute.name]: value })}
          error={errorOf(attribute.name)}
        />
      ))}
      <NewParts type={type} model={model} parts={parts} onChange={setParts} />
      {isComplete(attributes, draft) && areComplete(type, model, parts) && (
        <AffectedSubscriptions type={type} change={{ operation: 'C', changes: bodyOf(type, model, draft, parts) }} />
      )}
      <div class="actions">
        <Button kind="primary" type="submit" onClick={save}>
          Create
        </Button>
        <Button onClick={() => navigate(`/objects/${type.name}`)}>Cancel</Button>
      </div>
    </form>
  );
}
