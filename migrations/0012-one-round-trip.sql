-- A transaction that decides on what it has read without a lock locks it with its last statements, and asks here whether that still holds.
-- If not, it begins again (40001), as after any other serialization failure.
create function flaghoist_system.require_unchanged(holds boolean) returns void language plpgsql as $$
begin
  if not holds then
    raise exception 'what this transaction was decided on has changed meanwhile' using errcode = 'serialization_failure';
  end if;
end $$;
