-- Why the last run of the demo fleet has ended by itself: a word of the service, never a text of the error. The row of
-- a failed run stays until the demo fleet is started or stopped.
alter table flaghoist_system.demo_fleet add column failure text check (failure in ('NO_TOKEN', 'UNEXPECTED'));
