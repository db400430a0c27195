-- What anybody can send keeps a bounded number of bytes of each business, and a way that changes mails is told of.
-- The release before may run beside it.

alter table alerts
  -- Out of which budget its bytes are kept: `stranger`, `waiting` for a key, or `opened`, signed once with a bank's key.
  -- Null for what is a bank's mail to this business, and once the bytes are gone.
  add column purse text,
  add column kept_bytes int;
update alerts a set purse = case a.verdict when 'retrying' then 'waiting' when 'wrong_recipient' then 'opened' else 'stranger' end,
  kept_bytes = octet_length(r.raw)
from raw_mails r
where r.merchant_id = a.merchant_id and r.alert_id = a.alert_id and r.arrived_at = a.arrived_at
  and (a.verdict in ('forged', 'retrying', 'wrong_recipient') or (a.verdict = 'unreadable' and a.signing_domain is null));
create index alerts_purse on alerts (merchant_id, purse) include (kept_bytes) where purse is not null;

-- Mails that a bank signed for this business and that were changed on their way.
create index alerts_changed on alerts (merchant_id, arrived_at) where reason_code = 'changed_on_way';
-- When the owner was told that this way changes mails; null while it does not.
alter table mailbox_states add column changed_told_at timestamptz(3);
alter table forward_addresses add column changed_told_at timestamptz(3);
-- What the last probe had become when it came back: a reason; null when it came as it left.
alter table extra_alert_addresses add column probe_change jsonb;
