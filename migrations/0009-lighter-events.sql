-- Images of rows are written once and read as text: as `json` they are not sorted, taken apart and put together again.
alter table flaghoist_system.event
  alter column old_row type json using old_row::json,
  alter column new_row type json using new_row::json;

-- An update that changes nothing, or nothing but the stamp, leaves the row alone, and with it the state that its ETag names: whatever
-- comes after this trigger is a change. The triggers that did this with a condition of their own are gone with their function.
create or replace function flaghoist_system.stamp_change() returns trigger language plpgsql as $$
begin
  old.modified_date := new.modified_date;
  old.changed_by_id := new.changed_by_id;
  if old is not distinct from new then
    return null;
  end if;
  new.modified_date := flaghoist_system.utc_second();
  new.changed_by_id := flaghoist_system.acting_user();
  return new;
end $$;

drop function flaghoist_system.skip_same() cascade;
