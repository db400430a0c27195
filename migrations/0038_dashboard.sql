-- What the menu of every page and the page of an order ask for, however long the log and the list of notices are.

create index notices_unseen on notices (merchant_id) where seen_at is null;
-- Every step that people took with a payment.
create index audit_log_credits on audit_log (merchant_id, subject) where action like 'credit.%';
