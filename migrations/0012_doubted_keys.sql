-- A key that does not fit a mail whose body is whole may be a passing lie of DNS: such a mail waits for a day.

-- When the key was first found not to fit. The looks that follow are counted from here.
alter table alerts add column doubted_at timestamptz(3);
-- Those that wait for a key: their bytes are bounded.
create index alerts_retrying on alerts (merchant_id) where verdict = 'retrying';
