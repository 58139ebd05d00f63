-- Who made the version; null before this was kept.
alter table pool_version add column saved_by text;
