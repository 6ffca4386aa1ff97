-- each statement by itself
-- Kept answers that may name a payer, by the record they are about: few requests keep one, and none that makes a PIX charge.
DROP INDEX CONCURRENTLY IF EXISTS idempotency_answers_by_record;
CREATE INDEX CONCURRENTLY IF NOT EXISTS idempotency_answers_by_record ON idempotency_keys (seller_id, record_id) WHERE response IS NOT NULL;
