// All object types that the user may see, own types too, and a search across them.

import { useState } from 'preact/hooks';
import { Described } from '../../elements/described.tsx';
import { Loading } from '../../elements/loading.tsx';
import { Page, Section } from '../../elements/page.tsx';
import { loadModel, type Model, type ModelType } from '../../model/model.ts';
import { Link } from '../../routing/link.tsx';
import { useLoaded } from '../../service/use-loaded.ts';
import { FoundObjects } from './found-objects.tsx';
import './objects.css';

export function TypesPage() {
  const loaded = useLoaded(loadModel, []);
  return (
    <Page title="Objects">
      <Loading of={loaded}>{(model) => <Types model={model} />}</Loading>
    </Page>
  );
}

function Types({ model }: { model: Model }) {
  const [search, setSearch] = useState('');
  const types = model.types.filter(({ isServiceOwn }) => !isServiceOwn);
  const main = types.filter(({ owner }) => owner === undefined);
  return (
    <>
      <div class="toolbar">
        <input
          type="search"
          aria-label="Search all objects by key, code or name"
          placeholder="Key, code, name or number"
          value={search}
          onInput={(event) => setSearch(event.currentTarget.value)}
        />
      </div>
      {search.trim() !== '' ? (
        <FoundObjects model={model} text={search.trim()} />
      ) : (
        <>
          <TypeList title="Operations" types={main.filter(hasParts(model))} model={model} />
          <TypeList title="Master data" types={main.filter((type) => !hasParts(model)(type))} model={model} />
        </>
      )}
    </>
  );
}

const hasParts = (model: Model) => (type: ModelType) => partsOf(model, type).length > 0;

function partsOf(model: Model, type: ModelType): ModelType[] {
  return model.types.filter(({ owner }) => owner === type.name);
}

function TypeList({ title, types, model }: { title: string; types: readonly ModelType[]; model: Model }) {
  if (types.length === 0) return null;
  return (
    <Section title={title}>
      <ul class="types">
        {types.map((type) => (
          <li key={type.name}>
            <Link to={`/objects/${type.name}`} class="type-name">
              {type.name}
            </Link>
            <p class="faint">
              <Described text={type.description} />
            </p>
            <Parts model={model} type={type} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Parts({ model, type }: { model: Model; type: ModelType }) {
  const parts = partsOf(model, type);
  if (parts.length === 0) return null;
  return (
    <ul>
      {parts.map((part) => (
        <li key={part.name}>
          <Link to={`/objects/${part.name}`}>{part.name}</Link>
          <Parts model={model} type={part} />
        </li>
      ))}
    </ul>
  );
}
