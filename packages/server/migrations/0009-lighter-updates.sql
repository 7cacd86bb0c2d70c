-- An update that changes nothing, or nothing but the stamp, leaves the row alone, and with it the state that its ETag names. This is
-- found out here once, for all triggers that come after. (The triggers that call `skip_same` are gone when the tables' triggers have been made
-- anew, in this same transaction.)
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
