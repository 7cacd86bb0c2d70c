-- What may not be sent at present, because its user is inactive, is parked: due at infinity. Found lane by lane, apart from what
-- waits for its next attempt.
drop index flaghoist_system.pending_notification_waiting;
create index pending_notification_waiting on flaghoist_system.pending_notification (subscription_key, due_at) where due_at is not null;

-- Looks itself whether anything but the stamp has changed: a condition of the trigger over all columns is read anew for every
-- statement, which costs more than the rest of the update.
create or replace function flaghoist_system.stamp_change() returns trigger language plpgsql as $$
begin
  old.modified_date := new.modified_date;
  old.changed_by_id := new.changed_by_id;
  if old is distinct from new then
    new.modified_date := flaghoist_system.utc_second();
    new.changed_by_id := flaghoist_system.acting_user();
  end if;
  return new;
end $$;
