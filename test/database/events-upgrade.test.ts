// A database of the versions whose events were `jsonb`, and whose updates were looked at all together.

import pg from 'pg';
import { expect, test } from 'vitest';
import { migrate } from '../../src/database/migrate.ts';
import { loadModel } from '../../src/model/read-model-file.ts';
import { useTestDatabase } from '../support/test-database.ts';

const { url } = useTestDatabase({ isMigrated: true });

const asBefore = `
delete from flaghoist_system.migration where name = '0009-lighter-events.sql';
update flaghoist_system.applied_model set digest = 'of the version before';
alter table flaghoist_system.event alter column old_row type jsonb using old_row::jsonb, alter column new_row type jsonb using new_row::jsonb;
create function flaghoist_system.skip_same() returns trigger language plpgsql as $$ begin return null; end $$;
create trigger z_skip_same before update on flaghoist.voyage for each row when (old.* is not distinct from new.*) execute function flaghoist_system.skip_same();
drop trigger event_on_update on flaghoist.voyage;
create or replace function flaghoist_system.voyage__update_event() returns trigger language plpgsql security definer as $$
begin
  insert into flaghoist_system.event (object_type, operation, object_key, old_row, new_row)
  select 'Voyage', 'U', n.key, to_jsonb(o), to_jsonb(n) from new_rows n join old_rows o using (key);
  return null;
end $$;
create trigger event_on_update after update on flaghoist.voyage referencing old table as old_rows new table as new_rows
  for each statement execute function flaghoist_system.voyage__update_event()`;

test('what was noted is kept, and an update after that is one event', async () => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(asBefore);
    await client.query("insert into flaghoist.voyage (comments) values ('before')");
    await client.query("update flaghoist.voyage set comments = 'then'");
    await migrate(client, await loadModel(undefined));
    await client.query(
      "update flaghoist.voyage set comments = 'after'; update flaghoist.voyage set comments = 'after'",
    );
    const { rows } = await client.query(
      "select operation, old_row ->> 'comments' as before, new_row ->> 'comments' as after, pg_typeof(new_row)::text as type from flaghoist_system.event order by id",
    );
    expect(rows).toEqual([
      { operation: 'C', before: null, after: 'before', type: 'json' },
      { operation: 'U', before: 'before', after: 'then', type: 'json' },
      { operation: 'U', before: 'then', after: 'after', type: 'json' },
    ]);
    const { rowCount } = await client.query("select from pg_trigger where tgname = 'z_skip_same'");
    expect(rowCount).toBe(0);
  } finally {
    await client.end();
  }
});
