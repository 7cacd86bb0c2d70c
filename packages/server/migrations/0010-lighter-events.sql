-- Records are updated when they are delivered, and have room for that on their page. Bodies never are; and those of which two or more fit on a
-- page are stored as they are, since compressing one takes longer than everything else about storing it.
create or replace function flaghoist_system.make_day(parent regclass, of_day date) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  parent_name text := (select relname from pg_class where oid = parent);
  day_name text := format('%s_%s', parent_name, to_char(of_day, 'YYYYMMDD'));
  rest regclass := to_regclass(format('flaghoist_partition.%I', parent_name || '_rest'));
  storage text := case parent_name when 'notification_body' then 'toast_tuple_target = 4080' else 'fillfactor = 35' end;
begin
  if rest is null then
    execute format('create table flaghoist_partition.%I partition of %s default', parent_name || '_rest', parent);
    rest := to_regclass(format('flaghoist_partition.%I', parent_name || '_rest'));
  end if;
  if to_regclass(format('flaghoist_partition.%I', day_name)) is not null then
    return;
  end if;
  execute format('create table flaghoist_partition.%I (like %s including all) with (%s)', day_name, parent, storage);
  -- Rows that came before their day was made.
  execute format('with moved as (delete from %s where created_date >= %L and created_date < %L returning *)
    insert into flaghoist_partition.%I select * from moved', rest, of_day, of_day + 1, day_name);
  execute format('alter table %s attach partition flaghoist_partition.%I for values from (%L) to (%L)',
    parent, day_name, of_day, of_day + 1);
end $$;

do $$
declare
  day name;
begin
  for day in
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'flaghoist_system.notification_body'::regclass and c.relname ~ '_[0-9]{8}$'
  loop
    execute format('alter table if exists flaghoist_partition.%I reset (fillfactor), set (toast_tuple_target = 4080)', day);
  end loop;
end $$;

-- Whoever changes an object locks its table and then events, and their triggers are made anew when this is done: their tables first, so that
-- whoever gets in the way of each other does so before the long part.
do $$
declare
  changed regclass;
begin
  for changed in select distinct tgrelid::regclass from pg_trigger where tgname = 'event_on_update' order by 1 loop
    execute format('lock table %s in share row exclusive mode', changed);
  end loop;
end $$;

-- Images of rows are read as text and by nobody in between: as `json` they are written and read without being taken apart. This writes all
-- events anew, and nothing can be changed meanwhile.
alter table flaghoist_system.event
  -- Written by triggers of ours and by nobody else; a check is read from its text for every statement.
  drop constraint event_operation_check,
  alter column old_row type json using old_row::json,
  alter column new_row type json using new_row::json;
