// One object: its attributes, its sub-objects in place, its history, and how a program gets the same.

import { Button } from '../../elements/button.tsx';
import { confirmAction } from '../../elements/dialog.tsx';
import { Empty, Loading } from '../../elements/loading.tsx';
import { notify } from '../../elements/notices.tsx';
import { nameOf } from '../../elements/object-link.tsx';
import { Page } from '../../elements/page.tsx';
import { chosenTab, Tabs } from '../../elements/tabs.tsx';
import { loadModel, type Model, type ModelType } from '../../model/model.ts';
import { Link } from '../../routing/link.tsx';
import { navigate, setQuery } from '../../routing/location.ts';
import type { PageProps } from '../../routing/page-props.ts';
import { request } from '../../service/request.ts';
import { type Reloadable, useLoaded } from '../../service/use-loaded.ts';
import { hasScope } from '../../session/session.ts';
import { viewedUser } from '../../session/viewed-user.ts';
import { AffectedSubscriptions } from './affected-subscriptions.tsx';
import { loadObject, type WholeObject } from './load-object.ts';
import { ObjectApi } from './object-api.tsx';
import { ObjectDetails } from './object-details.tsx';
import { ObjectHistory } from './object-history.tsx';
import './objects.css';

const tabs = [
  { id: 'details', title: 'Details' },
  { id: 'history', title: 'History' },
  { id: 'api', title: 'API' },
] as const;

export function ObjectPage({ type: name, key }: PageProps) {
  const model = useLoaded(loadModel, []);
  const type = model.value?.byName.get(name!);
  if (!type)
    return (
      <Page title={`${name} ${key}`} above={<Link to="/objects">Objects</Link>}>
        <Loading of={model}>{() => <Empty>There is no type “{name}”.</Empty>}</Loading>
      </Page>
    );
  return <TypedObject type={type} model={model.value!} objectKey={Number(key)} />;
}

interface TypedObjectProps {
  type: ModelType;
  model: Model;
  objectKey: number;
}

function TypedObject({ type, model, objectKey }: TypedObjectProps) {
  const loaded = useLoaded((signal) => loadObject(type, objectKey, signal), [type.name, objectKey]);
  const shown = loaded.value?.object;
  const title = shown ? `${type.label} ${identify(type, shown)}` : `${type.label} ${objectKey}`;
  return (
    <Page
      title={title}
      above={<Above type={type} shown={shown} />}
      actions={shown && <Actions type={type} object={shown} />}
    >
      <Tabs label="Parts of the page" tabs={tabs} />
      <Loading of={loaded}>{(read) => <Tab type={type} model={model} read={read} loaded={loaded} />}</Loading>
    </Page>
  );
}

/** What a person knows the object by. */
function identify(type: ModelType, object: WholeObject): string {
  const known = Object.fromEntries(type.shownBy.map((name) => [name, object[name]]));
  return nameOf({ ...known, key: object.key });
}

/** The list of the type, and the object that this one is a part of. */
function Above({ type, shown }: { type: ModelType; shown: WholeObject | undefined }) {
  const owner = type.ownerAttribute && (shown?.[type.ownerAttribute] as WholeObject | null | undefined);
  return (
    <>
      <Link to={`/objects/${type.name}`}>{type.name}</Link>
      {owner && type.owner && (
        <>
          {' of '}
          <Link to={`/objects/${type.owner}/${owner.key}`}>
            {type.owner} {nameOf(owner)}
          </Link>
        </>
      )}
    </>
  );
}

function Actions({ type, object }: { type: ModelType; object: WholeObject }) {
  if (viewedUser.value) return null;
  return (
    <>
      {hasScope('webhook') && (
        <Link class="button" to={`/why-not?type=${type.name}&object=${object.key}`}>
          Why not notified?
        </Link>
      )}
      {type.access.canDelete && (
        <Button kind="danger" onClick={() => deleteObject(type, object)}>
          Delete
        </Button>
      )}
    </>
  );
}

async function deleteObject(type: ModelType, object: WholeObject): Promise<void> {
  const parts = type.attributes
    .filter(({ kind, isOwned }) => kind === 'collection' && isOwned !== false)
    .flatMap(({ name, label }) => {
      const count = (object[name] as unknown[] | undefined)?.length ?? 0;
      return count > 0 ? [`${count} ${label.toLowerCase()}`] : [];
    });
  const isConfirmed = await confirmAction({
    title: `Delete ${type.label} ${identify(type, object)}`,
    text: `${parts.length > 0 ? `${parts.join(', ')} are deleted too. ` : ''}This cannot be undone.`,
    more: <AffectedSubscriptions type={type} change={{ operation: 'D', objectKey: object.key }} />,
    action: 'Delete',
  });
  if (!isConfirmed) return;
  await request(`/${type.name}/${object.key}`, { method: 'DELETE' });
  notify(`${type.label} ${identify(type, object)} is deleted.`);
  navigate(`/objects/${type.name}`);
}

interface TabProps {
  type: ModelType;
  model: Model;
  read: { object: WholeObject; etag: string };
  loaded: Reloadable<{ object: WholeObject; etag: string }>;
}

function Tab({ type, model, read, loaded }: TabProps) {
  const tab = chosenTab(tabs);
  if (tab === 'history') return <ObjectHistory type={type} model={model} objectKey={read.object.key} />;
  if (tab === 'api') return <ObjectApi type={type} objectKey={read.object.key} />;
  return (
    <ObjectDetails
      type={type}
      model={model}
      object={read.object}
      etag={read.etag}
      onSaved={() => {
        loaded.reload();
        setQuery({ edit: undefined }, { replace: true });
      }}
    />
  );
}
