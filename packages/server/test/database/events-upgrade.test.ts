// A database of the versions whose updates were looked at all together, and left alone by a trigger of its own where they changed nothing; whose
// events held `jsonb`.

import pg from 'pg';
import { expect, test } from 'vitest';
import { migrate } from '../../src/database/migrate.ts';
import { loadModel } from '../../src/model/model-file/read-model-file.ts';
import { useTestDatabase } from '../support/test-database.ts';

const { url } = useTestDatabase({ isMigrated: true });

const asBefore = `
delete from flaghoist_system.migration where name in ('0009-lighter-updates.sql', '0010-lighter-events.sql');
alter table flaghoist_system.event alter column old_row type jsonb, alter column new_row type jsonb,
  add constraint event_operation_check check (operation in ('C', 'U', 'D'));
update flaghoist_system.applied_model set digest = 'of the version before';
drop trigger z_stamp_change on flaghoist.voyage;
create or replace function flaghoist_system.stamp_change() returns trigger language plpgsql as $$
begin
  new.modified_date := flaghoist_system.utc_second();
  return new;
end $$;
create trigger b_stamp_change before update on flaghoist.voyage for each row execute function flaghoist_system.stamp_change();
create trigger z_skip_same before update on flaghoist.voyage for each row when (old.* is not distinct from new.*) execute function flaghoist_system.skip_same();
drop trigger event_on_update on flaghoist.voyage;
create or replace function flaghoist_system.voyage__update_event() returns trigger language plpgsql security definer as $$
begin
  insert into flaghoist_system.event (object_type, operation, object_key, old_row, new_row)
  select 'Voyage', 'U', n.key, to_jsonb(o), to_jsonb(n) from new_rows n join old_rows o using (key);
  return null;
end $$;
create trigger event_on_update after update on flaghoist.voyage referencing old table as old_rows new table as new_rows
  for each statement execute function flaghoist_system.voyage__update_event();
do $$ declare day regclass; begin
  for day in select inhrelid from pg_inherits where inhparent = 'flaghoist_system.notification_body'::regclass loop
    execute format('alter table %s reset (toast_tuple_target), set (fillfactor = 35)', day);
  end loop;
end $$`;

test('an update is one event afterwards, and one that changes nothing is none', async () => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(asBefore);
    await client.query("insert into flaghoist.voyage (comments) values ('before')");
    await client.query("update flaghoist.voyage set comments = 'then'");
    await migrate(client, await loadModel(undefined));
    for (const change of ["comments = 'after'", "comments = 'after'", "modified_date = '2001-01-01'"])
      await client.query(`update flaghoist.voyage set ${change}`);
    const { rows } = await client.query(
      "select operation, old_row ->> 'comments' as before, new_row ->> 'comments' as after from flaghoist_system.event order by id",
    );
    expect(rows).toEqual([
      { operation: 'C', before: null, after: 'before' },
      { operation: 'U', before: 'before', after: 'then' },
      { operation: 'U', before: 'then', after: 'after' },
    ]);
    const triggers = await client.query("select from pg_trigger where tgname in ('z_skip_same', 'b_stamp_change')");
    expect(triggers.rowCount).toBe(0);
    const columns = await client.query(
      "select distinct data_type from information_schema.columns where table_name = 'event' and column_name in ('old_row', 'new_row')",
    );
    expect(columns.rows).toEqual([{ data_type: 'json' }]);
    const checks = await client.query(
      "select from pg_constraint where conrelid = 'flaghoist_system.event'::regclass and contype = 'c'",
    );
    expect(checks.rowCount).toBe(0);
    const days = await client.query(
      "select distinct reloptions from pg_inherits join pg_class on oid = inhrelid where inhparent = 'flaghoist_system.notification_body'::regclass and relname !~ 'rest$'",
    );
    expect(days.rows).toEqual([{ reloptions: ['toast_tuple_target=4080'] }]);
  } finally {
    await client.end();
  }
});
