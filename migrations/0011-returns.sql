-- Money that came and was not the seller's: it is recorded, sent back, and shown to the operator.

-- A report gets an id that begins with its time, so that the operator reads the reports of all sellers newest first, page by page.
ALTER TABLE provider_events ADD COLUMN id uuid;
UPDATE provider_events SET id = (
  left(lpad(to_hex((extract(epoch FROM received_at) * 1000)::bigint), 12, '0'), 8) || '-' ||
  right(lpad(to_hex((extract(epoch FROM received_at) * 1000)::bigint), 12, '0'), 4) ||
  substr(gen_random_uuid()::text, 14))::uuid;
ALTER TABLE provider_events ALTER COLUMN id SET NOT NULL;
CREATE INDEX provider_events_by_id ON provider_events (id);

-- DUPLICATE is a second payment of a charge that was paid, WRONG_AMOUNT a payment of another amount than the charge's. Like what is
-- LATE they are money of a payer. They stood among the REJECTED.
ALTER TABLE provider_events DROP CONSTRAINT provider_events_outcome_check;
ALTER TABLE provider_events ADD CONSTRAINT provider_events_outcome_check
  CHECK (outcome IN ('APPLIED', 'LATE', 'DUPLICATE', 'WRONG_AMOUNT', 'REJECTED'));
UPDATE provider_events r SET outcome = CASE r.detail WHEN 'wrong-amount' THEN 'WRONG_AMOUNT' ELSE 'DUPLICATE' END
  FROM transactions t
  WHERE t.seller_id = r.seller_id AND t.id = r.record_id AND r.kind = 'PAYMENT' AND r.outcome = 'REJECTED'
    AND (r.detail = 'wrong-amount' OR r.detail LIKE '% to PAID');
DROP INDEX provider_events_to_review;
CREATE INDEX provider_events_to_review ON provider_events (id) WHERE outcome <> 'APPLIED';

-- A payer's money on its way back. Written with the report that told of the money; id is the provider's idempotency key.
-- PENDING is due, SENT was taken by the provider or settled by a user of the operator (settled_by), MANUAL waits for the operator:
-- no machine can send it. It was never the seller's, so the ledger knows nothing of it.
CREATE TABLE payment_reversals (
  seller_id uuid NOT NULL,
  id uuid NOT NULL,
  transaction_id uuid NOT NULL,
  method text NOT NULL CHECK (method IN ('PIX', 'BOLETO', 'CREDIT_CARD')), -- of the charge it was paid for
  provider text NOT NULL, -- who reported it, and who therefore has it
  provider_event_id text NOT NULL,
  amount bigint NOT NULL CHECK (amount > 0),
  reason text NOT NULL CHECK (reason IN ('LATE', 'DUPLICATE', 'WRONG_AMOUNT')),
  status text NOT NULL CHECK (status IN ('PENDING', 'SENT', 'MANUAL')),
  attempts integer NOT NULL,
  due_at timestamptz NOT NULL,
  lease_until timestamptz,
  provider_reference text, -- the provider's own id of the return
  sent_at timestamptz,
  settled_by uuid,
  detail text, -- why no machine can send it
  note text, -- what the operator did
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (seller_id, id)
);
-- The same report never sends money back twice.
CREATE UNIQUE INDEX payment_reversals_by_event ON payment_reversals (seller_id, provider, provider_event_id);
CREATE INDEX payment_reversals_due ON payment_reversals (due_at) WHERE status = 'PENDING';
-- The operator reads the returns of all sellers, those of one charge, and mostly those that wait for a person.
CREATE INDEX payment_reversals_by_id ON payment_reversals (id);
CREATE INDEX payment_reversals_by_transaction ON payment_reversals (transaction_id);
CREATE INDEX payment_reversals_to_settle ON payment_reversals (id) WHERE status = 'MANUAL';

-- What was recorded before the gateway sent money back by itself: a person may have done it, so a person decides.
INSERT INTO payment_reversals (seller_id, id, transaction_id, method, provider, provider_event_id, amount, reason, status, attempts, due_at,
  detail, created_at, updated_at)
SELECT r.seller_id, r.id, r.record_id, t.method, r.provider, r.provider_event_id, r.amount, r.outcome, 'MANUAL', 0, r.received_at,
  'recorded before the gateway sent money back: look whether it was returned', r.received_at, r.received_at
FROM provider_events r JOIN transactions t ON t.seller_id = r.seller_id AND t.id = r.record_id
WHERE r.outcome IN ('LATE', 'DUPLICATE', 'WRONG_AMOUNT') AND r.amount > 0;

-- What a provider told that fits no record: of a charge that nobody knows, or under an id that told something else before.
-- It belongs to no seller; whom and what it claims to be about is kept as it came, once.
CREATE TABLE unmatched_provider_events (
  provider text NOT NULL,
  provider_event_id text NOT NULL,
  kind text NOT NULL,
  claimed_seller text NOT NULL,
  claimed_record text NOT NULL,
  id uuid NOT NULL,
  amount bigint,
  occurred_at timestamptz NOT NULL,
  received_at timestamptz NOT NULL,
  detail text NOT NULL,
  PRIMARY KEY (provider, provider_event_id, kind, claimed_seller, claimed_record)
);
CREATE INDEX unmatched_provider_events_by_id ON unmatched_provider_events (id);
