-- Which release wrote the database functions (migrations/functions), so that an older one does not write its own back.
-- The release before may run beside it.

create table written_functions (
  only_row   boolean primary key default true check (only_row),
  version    text not null,
  -- Of all files together.
  checksum   text not null,
  written_at timestamptz(3) not null
);
