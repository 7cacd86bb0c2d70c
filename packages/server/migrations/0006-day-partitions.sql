-- Tables of the log are partitioned by created_date: one partition for each day, which retention drops as a whole, and
-- a default partition, so that no row is rejected because its day does not exist yet.

create schema flaghoist_partition;

create function flaghoist_system.create_day_partition(parent regclass, of_day date) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  parent_name text := (select relname from pg_class where oid = parent);
  day_name text := format('%s_%s', parent_name, to_char(of_day, 'YYYYMMDD'));
  default_name text := parent_name || '_rest';
  -- Records are updated when they are delivered, and have space for that on their page. Bodies never are. Bodies of
  -- which two or more fit on a page are not compressed: that would take longer than all else about storing them.
  storage text := case when parent_name in ('notification_body', 'notification_content')
    then 'toast_tuple_target = 4080' else 'fillfactor = 35' end;
  -- All but generated columns, which cannot be inserted.
  columns text := (select string_agg(quote_ident(attname), ', ' order by attnum) from pg_attribute
    where attrelid = parent and attnum > 0 and not attisdropped and attgenerated = '');
begin
  if to_regclass(format('flaghoist_partition.%I', default_name)) is null then
    execute format('create table flaghoist_partition.%I partition of %s default', default_name, parent);
  end if;
  if to_regclass(format('flaghoist_partition.%I', day_name)) is not null then
    return;
  end if;
  execute format('create table flaghoist_partition.%I (like %s including all) with (%s)', day_name, parent, storage);
  -- Rows that were stored before their day existed.
  execute format('with moved as (
    delete from flaghoist_partition.%1$I where created_date >= %2$L and created_date < %3$L returning *)
    insert into flaghoist_partition.%4$I (%5$s) select %5$s from moved',
    default_name, of_day, of_day + 1, day_name, columns);
  execute format('alter table %s attach partition flaghoist_partition.%I for values from (%L) to (%L)',
    parent, day_name, of_day, of_day + 1);
end $$;

-- Today and a week ahead.
create function flaghoist_system.create_day_partitions(parent regclass) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  -- One process at a time.
  perform pg_advisory_xact_lock(7305114203);
  for ahead in 0..7 loop
    perform flaghoist_system.create_day_partition(parent, (now() at time zone 'utc')::date + ahead);
  end loop;
end $$;

-- The oldest day that a table still has.
create function flaghoist_system.oldest_day(parent regclass) returns date
language sql stable set search_path = pg_catalog, pg_temp as $$
  select min(to_date(right(c.relname, 8), 'YYYYMMDD'))
  from pg_inherits i join pg_class c on c.oid = i.inhrelid
  where i.inhparent = parent and c.relname ~ '_[0-9]{8}$'
$$;

-- The newest one.
create function flaghoist_system.newest_day(parent regclass) returns date
language sql stable set search_path = pg_catalog, pg_temp as $$
  select max(to_date(right(c.relname, 8), 'YYYYMMDD'))
  from pg_inherits i join pg_class c on c.oid = i.inhrelid
  where i.inhparent = parent and c.relname ~ '_[0-9]{8}$'
$$;

-- The oldest day of a table that is past its retention; null if there is none.
create function flaghoist_system.oldest_expired_day(parent regclass, days_kept integer) returns date
language sql stable set search_path = pg_catalog, pg_temp as $$
  select d.day from flaghoist_system.oldest_day(parent) as d (day)
  where d.day < (now() at time zone 'utc')::date - days_kept
$$;

create function flaghoist_system.drop_day_partition(parent regclass, of_day date) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  -- Waits for readers only briefly, because new readers queue behind this lock.
  perform set_config('lock_timeout', '1s', true);
  execute format('drop table if exists flaghoist_partition.%I',
    format('%s_%s', (select relname from pg_class where oid = parent), to_char(of_day, 'YYYYMMDD')));
end $$;
