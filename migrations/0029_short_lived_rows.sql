-- What is in hand lives for milliseconds: cleaned often, the table stays as small as what is in it.

alter table deliveries_in_hand set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);
