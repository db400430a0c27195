-- Stores the verdict about a credit with the facts that it rests on (R1), and ends the judge's lease.
-- An array element used in the update would crash a Citus server (13.2.2).
create or replace function store_verdict(
  business bigint, alert text, credit jsonb, outcome text, of_order text, by_row int, code text, code_facts jsonb,
  named jsonb, moment timestamptz
) returns void language plpgsql as $$
declare
  signatures constant text[] := array(select jsonb_array_elements_text(credit -> 'signatures'));
  first constant text := signatures[1];
  others constant text[] := signatures[2:];
begin
  update alerts a set verdict = outcome, reason_code = code, facts = code_facts, order_id = of_order, near_misses = named,
    table_row = by_row, trust = credit ->> 'trust', judged_at = moment, next_try_at = null, claim = null, leased_until = null,
    bank = credit ->> 'bank', template = credit ->> 'template', amount_paise = (credit ->> 'amount')::bigint,
    bank_reference = credit ->> 'reference', payer = credit ->> 'payer', account_digits = credit ->> 'digits',
    payee_vpa = credit ->> 'payee_vpa', alert_time = (credit ->> 'alert_time')::timestamptz,
    signature_id = first, other_signature_ids = others, signing_domain = credit ->> 'signing_domain',
    selector = credit ->> 'selector', recipient = credit ->> 'recipient',
    printed_at = coalesce(credit ->> 'printed_at', a.printed_at)
  where a.merchant_id = business and a.alert_id = alert;
end $$;
