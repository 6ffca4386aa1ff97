-- What a provider of others is told about a charge: to place it (make its PIX code, authorize its card), and later to
-- remove, capture, void or refund it. The order is committed before the call and its outcome after it, so that a crash
-- between leaves an order whose outcome is asked for under its own id. OPEN: not known yet; ACCEPTED: the provider has it,
-- and of follow-ups tells later what came of it; DONE and REFUSED: its last word. A local rail needs no orders.
CREATE TABLE provider_operations (
  seller_id uuid NOT NULL,
  -- Our id at the provider, under which it does this once: of PLACE the transaction's, of REFUND the refund's.
  id uuid NOT NULL,
  transaction_id uuid NOT NULL,
  kind text NOT NULL CHECK (kind IN ('CREATE', 'CANCEL', 'CAPTURE', 'VOID', 'REFUND')),
  provider text NOT NULL,
  amount bigint NOT NULL CHECK (amount > 0),
  state text NOT NULL CHECK (state IN ('OPEN', 'ACCEPTED', 'DONE', 'REFUSED')),
  -- What a follow-up is about, in the provider's words: the authorization, the PIX payment.
  payment_reference text,
  -- The provider's own id of this order.
  reference text,
  detail text,
  attempts smallint NOT NULL DEFAULT 0,
  due_at timestamptz NOT NULL,
  lease_until timestamptz,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (seller_id, id)
);
CREATE INDEX provider_operations_due ON provider_operations (due_at) WHERE state = 'OPEN';
CREATE INDEX provider_operations_by_transaction ON provider_operations (seller_id, transaction_id);

-- What the provider is returning to the payer and has not said yes to; it has left the seller's balance.
ALTER TABLE transactions ADD COLUMN refunding_amount bigint NOT NULL DEFAULT 0 CHECK (refunding_amount >= 0);

-- A refund through a provider of others is PENDING until the provider has said what came of it.
ALTER TABLE refunds ADD COLUMN status text NOT NULL DEFAULT 'DONE' CHECK (status IN ('PENDING', 'DONE', 'FAILED'));
-- What of it was still retained, and until when, so that a refund that fails puts it back where it was.
ALTER TABLE refunds ADD COLUMN retained json;
