-- Boleto and card beside PIX, and what happens to money after a payment: retention, refunds, disputes.

-- fee_type and fee_value are the rule the fee was computed by, for a charge whose amount may still become smaller (a card captured in part).
ALTER TABLE transactions
  ADD COLUMN installments smallint,
  ADD COLUMN fee_type text CHECK (fee_type IN ('FIXED', 'PERCENTAGE')),
  ADD COLUMN fee_value bigint;
DROP INDEX transactions_to_expire;
CREATE INDEX transactions_to_expire ON transactions (expires_at) WHERE status IN ('PENDING', 'WAITING_PAYMENT', 'AUTHORIZED');

-- How a boleto is paid: its barcode and digitable line. Its PIX code stands in pix_payments. expires_at is what the payer is told;
-- the charge itself waits until the end of the bank day on which a boleto that is due then can still be paid.
CREATE TABLE boleto_payments (
  seller_id uuid NOT NULL,
  transaction_id uuid NOT NULL,
  id uuid NOT NULL,
  our_number text NOT NULL,
  barcode text NOT NULL,
  digitable_line text NOT NULL,
  due_date date NOT NULL,
  location text NOT NULL,
  instructions text NOT NULL,
  expires_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (seller_id, transaction_id)
);

-- The next number of the bank agreement that nobody has taken. Processes take blocks of numbers, so this row is asked once in a while.
CREATE TABLE boleto_numbers (
  id boolean PRIMARY KEY DEFAULT true CHECK (id),
  next bigint NOT NULL
);
INSERT INTO boleto_numbers (next) VALUES (1);

-- The card of a charge: only what may be kept of it. Never its number, holder or cvv.
CREATE TABLE card_payments (
  seller_id uuid NOT NULL,
  transaction_id uuid NOT NULL,
  id uuid NOT NULL,
  brand text,
  last_four text NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (seller_id, transaction_id)
);

-- A card kept for later charges. The number is sealed with ENCRYPTION_KEY; the cvv is not kept. The id is the token.
CREATE TABLE card_tokens (
  seller_id uuid NOT NULL REFERENCES sellers (id),
  id uuid NOT NULL,
  encrypted_number text NOT NULL,
  brand text,
  last_four text NOT NULL,
  expiration_month smallint NOT NULL,
  expiration_year smallint NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (seller_id, id)
);

-- Money of a payment that is retained until due_at, one row for each instalment. amount is what is left of it.
-- PENDING waits, RELEASED went to the available balance, HELD lies with a dispute, TAKEN went back to the payer.
CREATE TABLE releases (
  seller_id uuid NOT NULL,
  transaction_id uuid NOT NULL,
  number smallint NOT NULL,
  amount bigint NOT NULL CHECK (amount >= 0),
  status text NOT NULL CHECK (status IN ('PENDING', 'RELEASED', 'HELD', 'TAKEN')),
  due_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (seller_id, transaction_id, number)
);
CREATE INDEX releases_due ON releases (due_at) WHERE status = 'PENDING';

-- Money returned to the payer, whole or in part.
CREATE TABLE refunds (
  seller_id uuid NOT NULL,
  id uuid NOT NULL,
  transaction_id uuid NOT NULL,
  amount bigint NOT NULL CHECK (amount > 0),
  reason text,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (seller_id, id)
);
CREATE INDEX refunds_by_transaction ON refunds (seller_id, transaction_id);

-- A payer's claim to their money.
CREATE TABLE disputes (
  seller_id uuid NOT NULL,
  id uuid NOT NULL,
  transaction_id uuid NOT NULL,
  status text NOT NULL CHECK (status IN ('OPEN', 'UNDER_REVIEW', 'REJECTED', 'RESOLVED')),
  amount bigint NOT NULL CHECK (amount > 0),
  reason text NOT NULL,
  created_by text NOT NULL,
  appeal_reason text,
  appeal_until timestamptz NOT NULL,
  resolved_at timestamptz,
  resolved_by text,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (seller_id, id)
);
CREATE UNIQUE INDEX disputes_unresolved ON disputes (seller_id, transaction_id) WHERE status IN ('OPEN', 'UNDER_REVIEW');
CREATE INDEX disputes_to_close ON disputes (appeal_until) WHERE status = 'OPEN';

-- What the sandbox's provider will report later, as its card numbers promise.
CREATE TABLE sandbox_scheduled_events (
  seller_id uuid NOT NULL,
  transaction_id uuid NOT NULL,
  kind text NOT NULL,
  due_at timestamptz NOT NULL,
  PRIMARY KEY (seller_id, transaction_id, kind)
);
CREATE INDEX sandbox_scheduled_events_due ON sandbox_scheduled_events (due_at);
