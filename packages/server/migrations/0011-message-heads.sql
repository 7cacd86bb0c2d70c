-- All that a message has beside its body and the subject of its mail, in one text: a claim reads and answers one column instead of seven. This version leaves those
-- seven empty; they are there for processes of an earlier one that run beside it, and can go with the version after this. What these make has no head, and what has none is read from the log.
alter table flaghoist_system.notification_body add column head text;
