-- Writes the optional fields of a new order, each into the column of its name.
-- The names come from src/orders/optional-fields.ts, never from a caller, so a new field changes neither this function
-- nor `create_order`.
create or replace function write_optional_fields(business bigint, of_order text, fields jsonb) returns void language plpgsql as $$
begin
  execute (
    select format('update orders set %s where merchant_id = %L and order_id = %L',
      string_agg(format('%I = %L', key, value), ', '), business, of_order)
    from jsonb_each_text(fields));
end $$;
