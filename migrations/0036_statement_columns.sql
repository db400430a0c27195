-- Which column of a bank's statement holds what, where a person had to say so: remembered for the next file.

create table statement_columns (
  merchant_id bigint not null references merchants,
  bank        text not null,
  columns     jsonb not null,
  primary key (merchant_id, bank)
);
