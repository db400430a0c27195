-- Each payment writes every index of its alert three times: what no query asks is gone, what few ask holds few rows.
-- The release before may run beside it.

-- Built first and swapped at the end: until then mails are read, and only writing them waits.

-- Screens ask for the mails of one reason. A mail that waits for its judge has none, and nearly all become payments.
create index alerts_reasons_few on alerts (merchant_id, reason_code, arrived_at desc, alert_id desc)
  where verdict <> 'paid' and reason_code is not null;

-- Screens ask by sum for money that paid nothing, and for one payment that was told twice, which has no reference.
create index alerts_amount_few on alerts (merchant_id, amount_paise)
  where amount_paise is not null and (verdict <> 'paid' or bank_reference is null);

drop index alerts_reasons, alerts_amount;
alter index alerts_reasons_few rename to alerts_reasons;
alter index alerts_amount_few rename to alerts_amount;
-- Of a time before purses counted the bytes of mails that wait; nothing reads it any more.
drop index alerts_retrying;
