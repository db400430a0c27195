-- A folder that numbers its mails anew is read from its newest mails, and the rest behind them, so that none of now waits.
-- The release before may run beside it.

-- While a scan is not over: what lies below this number is still to be read. What is new lies above next_uid, as ever.
alter table mailbox_positions add column rest_below bigint;
