-- Risk: rules and lists that are decided before a provider is called.

-- A rule of the operator. The first one that holds, by position, decides. Cached by every process.
-- citus: local
CREATE TABLE risk_rules (
  id uuid PRIMARY KEY,
  position integer NOT NULL,
  name text NOT NULL,
  conditions json NOT NULL, -- the member when of the API
  action text NOT NULL CHECK (action IN ('ALLOW', 'REVIEW', 'REFUSE')),
  enabled boolean NOT NULL,
  seller_id uuid, -- null: of all sellers
  public_reason text, -- what sellers and payers read of a refused charge
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);

-- Card testing: five declines of one card, document or address of a seller's payers in an hour.
INSERT INTO risk_rules (id, position, name, conditions, action, enabled, public_reason, created_at, updated_at)
SELECT id::uuid, position, 'Card testing: declines of one ' || by,
  json_build_object('methods', json_build_array('CREDIT_CARD'),
    'count', json_build_object('of', 'declines', 'by', by, 'windowSeconds', 3600, 'above', 4),
    'payerPresent', true, 'scope', 'SELLER'),
  'REFUSE', true, 'too many declined attempts', current_timestamp, current_timestamp
FROM (VALUES
  ('00000000-0000-4000-8000-000000000001', 1, 'card'),
  ('00000000-0000-4000-8000-000000000002', 2, 'document'),
  ('00000000-0000-4000-8000-000000000003', 3, 'address')) AS defaults (id, position, by);

-- A blocked or trusted document, email, card or address. Cached by every process.
-- citus: local
CREATE TABLE risk_list_entries (
  kind text NOT NULL,
  value text NOT NULL, -- keyed hash
  masked text NOT NULL,
  id uuid NOT NULL,
  note text,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (kind, value)
);

-- What rules count: a charge by its card, document, email, address or link. Deleted after 30 days.
-- citus: distributed
CREATE TABLE risk_signals (
  seller_id uuid NOT NULL,
  key text NOT NULL, -- keyed hash of the kind and the value
  number bigint NOT NULL, -- microseconds of the server: the order in which charges count each other
  transaction_id uuid NOT NULL,
  request_id uuid NOT NULL, -- the idempotency key: requests that are repeated count once
  kind text NOT NULL CHECK (kind IN ('card', 'document', 'email', 'address', 'link')),
  amount bigint NOT NULL,
  declined boolean, -- null: the card of a payment page without an outcome yet
  created_at timestamptz NOT NULL, -- of the transaction
  PRIMARY KEY (seller_id, key, number, transaction_id)
);
CREATE INDEX risk_signals_declined ON risk_signals (seller_id, key, number) WHERE declined IS NOT FALSE;
-- Rules that count the charges of all sellers, and relatives.
CREATE INDEX risk_signals_by_key ON risk_signals (key, number);
CREATE INDEX risk_signals_declined_by_key ON risk_signals (key, number) WHERE declined IS NOT FALSE;
-- The signals of a transaction, and those that have expired.
CREATE INDEX risk_signals_by_transaction ON risk_signals (created_at, seller_id, transaction_id);

-- The rule that decided a charge.
-- citus: distributed
CREATE TABLE risk_decisions (
  seller_id uuid NOT NULL,
  transaction_id uuid NOT NULL,
  action text NOT NULL CHECK (action IN ('REVIEW', 'REFUSE')),
  rule_id uuid, -- null: a list
  rule_name text NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (seller_id, transaction_id)
);
