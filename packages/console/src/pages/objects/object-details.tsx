// The attributes of an object in groups, references as links, and its sub-objects as tables in place.

import { AttributeValue } from '../../elements/attribute-value.tsx';
import { Button } from '../../elements/button.tsx';
import { Fact, Facts, Section } from '../../elements/page.tsx';
import type { Model, ModelAttribute, ModelType } from '../../model/model.ts';
import { place, setQuery } from '../../routing/location.ts';
import { viewedUser } from '../../session/viewed-user.ts';
import { EditForm } from './edit-form.tsx';
import type { WholeObject } from './load-object.ts';
import { SubObjects } from './sub-objects.tsx';

interface ObjectDetailsProps {
  type: ModelType;
  model: Model;
  object: WholeObject;
  etag: string;
  onSaved(): void;
}

const bookkeeping = new Set(['key', 'externalObjectKey', 'createdDate', 'modifiedDate', 'createdById', 'changedById']);

export function ObjectDetails({ type, model, object, etag, onSaved }: ObjectDetailsProps) {
  const mayEdit = type.access.canUpdate && !viewedUser.value;
  if (mayEdit && place.value.query.get('edit')) return <EditForm {...{ type, model, object, etag, onSaved }} />;
  const own = type.attributes.filter(({ name, kind }) => name in object && kind !== 'collection' && kind !== 'self');
  const collections = type.attributes.filter(({ name, kind }) => kind === 'collection' && name in object);
  return (
    <>
      <Section title="Attributes" actions={mayEdit && <Button onClick={() => setQuery({ edit: 'yes' })}>Edit</Button>}>
        <AttributeFacts attributes={own.filter(({ name }) => !bookkeeping.has(name))} object={object} />
      </Section>
      {collections.map((collection) => (
        <SubObjects
          key={collection.name}
          {...{ collection, model, mayEdit, onSaved }}
          ownerKey={object.key}
          elements={object[collection.name] as WholeObject[]}
        />
      ))}
      <Section title="Record">
        <AttributeFacts attributes={own.filter(({ name }) => bookkeeping.has(name))} object={object} />
      </Section>
    </>
  );
}

function AttributeFacts({ attributes, object }: { attributes: readonly ModelAttribute[]; object: WholeObject }) {
  return (
    <Facts>
      {attributes.map((attribute) => (
        <Fact key={attribute.name} name={attribute.label} hint={attribute.description}>
          <AttributeValue attribute={attribute} value={object[attribute.name]} />
        </Fact>
      ))}
    </Facts>
  );
}
