-- A transaction that decides on what it has read without a lock locks it with its last statements, and asks here whether that still holds.
-- If not, it begins again (40001), as after any other serialization failure.
create function flaghoist_system.require_unchanged(holds boolean) returns void language plpgsql as $$
begin
  if not holds then
    raise exception 'what this transaction was decided on has changed meanwhile' using errcode = 'serialization_failure';
  end if;
end $$;

-- What is surely too large to be sent fails before it is built, as `bounded` does afterwards.
create function flaghoist_system.must_fit(fits boolean) returns boolean language plpgsql immutable as $$
begin
  if not fits then
    raise exception 'the answer would reach too many rows' using errcode = '54000';
  end if;
  return true;
end $$;
