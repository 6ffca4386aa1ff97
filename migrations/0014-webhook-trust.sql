-- Webhooks can be disabled, by their seller or because their receiver is gone, and what happens meanwhile is kept for them.

-- disabled_reason is told to the seller. failing_since is when the first of the attempts failed that have all failed since; it is
-- written when that changes, not with each attempt, and null where the last attempt arrived.
ALTER TABLE webhooks
  ADD COLUMN disabled_at timestamptz,
  ADD COLUMN disabled_reason text,
  ADD COLUMN failing_since timestamptz,
  ADD CONSTRAINT webhooks_disabled_with_reason CHECK ((disabled_at IS NULL) = (disabled_reason IS NULL));

-- HELD waits for a disabled webhook. It is a status of its own and not a PENDING one far in the future, so that it is in no
-- index of what is due, however much of it there is.
ALTER TABLE deliveries DROP CONSTRAINT deliveries_status_check;
ALTER TABLE deliveries ADD CONSTRAINT deliveries_status_check
  CHECK (status IN ('PENDING', 'DELIVERED', 'FAILED', 'HELD'));
CREATE INDEX deliveries_held ON deliveries (seller_id, id) WHERE status = 'HELD';
