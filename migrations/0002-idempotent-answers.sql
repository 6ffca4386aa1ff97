-- The answer to the request that made the record, for operations whose answer cannot be rendered again from the record
-- alone. Null for creations of charges that are rendered again.
ALTER TABLE idempotency_keys ADD COLUMN response json;
