-- Each payment writes every index of its alert three times: what no query asks is gone, what few ask holds few rows.
-- The release before may run beside it.

-- Of a time before purses counted the bytes of mails that wait; nothing reads it any more.
drop index alerts_retrying;

-- Screens ask for the mails of one reason. A mail that waits for its judge has none, and nearly all become payments.
drop index alerts_reasons;
create index alerts_reasons on alerts (merchant_id, reason_code, arrived_at desc, alert_id desc)
  where verdict <> 'paid' and reason_code is not null;

-- Screens ask by sum for money that paid nothing, and for one payment that was told twice, which has no reference.
drop index alerts_amount;
create index alerts_amount on alerts (merchant_id, amount_paise)
  where amount_paise is not null and (verdict <> 'paid' or bank_reference is null);
