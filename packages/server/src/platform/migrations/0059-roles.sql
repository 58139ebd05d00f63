-- Operators have some of six roles (packages/contract/src/permissions.ts); those from before keep theirs, administrator.
alter table operator add constraint operator__roles
  check (roles <@ '{admin,operations,support,finance,risk,viewer}' and array_position(roles, null) is null);
