-- A shop's logo and colour on the pages its customers see.

-- `colour` is six hexadecimal digits; `logo` is the name under which the picture is served, which its bytes decide.
alter table merchants
  add column colour text check (colour ~ '^[0-9a-f]{6}$'),
  add column logo text;

create table shop_logos (
  merchant_id bigint primary key references merchants,
  name        text not null,
  bytes       bytea not null check (octet_length(bytes) <= 65536)
);
