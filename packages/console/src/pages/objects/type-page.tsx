// The objects of one type: filters, sort and columns from the model, all in the address.

import { Described } from '../../elements/described.tsx';
import { countText, ListTable } from '../../elements/list-table.tsx';
import { Empty, Loading } from '../../elements/loading.tsx';
import { objectPath } from '../../elements/object-link.tsx';
import { Page } from '../../elements/page.tsx';
import { loadModel, type Model, type ModelType } from '../../model/model.ts';
import { Link } from '../../routing/link.tsx';
import { navigate, place } from '../../routing/location.ts';
import type { PageProps } from '../../routing/page-props.ts';
import { useList } from '../../service/use-list.ts';
import { useLoaded } from '../../service/use-loaded.ts';
import { viewedUser } from '../../session/viewed-user.ts';
import { ColumnChoice } from './column-choice.tsx';
import { FilterBar } from './filter-bar.tsx';
import './objects.css';
import { fieldsOf, type ListedObject, shownAttributes, tableColumns } from './object-columns.tsx';

export function TypePage({ type: name }: PageProps) {
  const loaded = useLoaded(loadModel, []);
  const type = loaded.value?.byName.get(name!);
  const mayCreate = type?.access.canCreate && !viewedUser.value;
  return (
    <Page
      title={name!}
      above={<Link to="/objects">Objects</Link>}
      actions={
        mayCreate ? (
          <Link class="button primary" to={`/objects/${name}/new`}>
            Create
          </Link>
        ) : undefined
      }
    >
      <Loading of={loaded}>
        {(shown) =>
          type ? <ObjectList key={type.name} type={type} model={shown} /> : <Empty>There is no type “{name}”.</Empty>
        }
      </Loading>
    </Page>
  );
}

function ObjectList({ type, model }: { type: ModelType; model: Model }) {
  const { query } = place.value;
  const attributes = shownAttributes(type, query.get('columns'));
  const fields = fieldsOf(attributes, model);
  const filter = query.getAll('filter');
  const sort = query.getAll('sort');
  const list = useList<ListedObject>({
    path: `/${type.name}`,
    filter,
    sort: sort.length > 0 ? sort : ['key(DS)'],
    fields,
  });
  return (
    <>
      <div class="toolbar">
        <FilterBar type={type} />
        <ColumnChoice type={type} shown={attributes} />
        <span class="faint">{countText(list.total, 'object', 'objects')}</span>
      </div>
      {type.description && (
        <p class="faint">
          <Described text={type.description} />
        </p>
      )}
      <ListTable
        label={type.name}
        list={list}
        columns={tableColumns(type, attributes)}
        keyOf={({ key }) => key}
        onOpen={({ key }) => navigate(objectPath(type.name, key))}
        empty={<Empty>{filter.length > 0 ? 'No object matches the filter.' : `There is no ${type.name} yet.`}</Empty>}
      />
    </>
  );
}
