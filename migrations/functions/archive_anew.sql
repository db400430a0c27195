-- Moves the archive's progress back, so that an order that changed after it was archived is archived again.
create or replace function archive_anew(business bigint, was_created_at timestamptz) returns void language plpgsql as $$
declare
  before constant timestamptz := was_created_at - interval '1 millisecond';
begin
  update history_progress h set archived_to = before, archived_id = ''
  where h.merchant_id = business and h.archived_to >= was_created_at;
end $$;
