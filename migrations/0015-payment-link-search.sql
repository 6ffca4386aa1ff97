-- Payment links are searched by the index, too.
ALTER TABLE search_segments DROP CONSTRAINT search_segments_kind_check;
ALTER TABLE search_segments ADD CONSTRAINT search_segments_kind_check
  CHECK (kind IN ('TRANSACTION', 'WITHDRAWAL', 'CUSTOMER', 'PAYMENT_LINK')) NOT VALID;
