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
INSERT INTO risk_rules (id, position, name, conditions, action, enabled, public_reason, created_at,
  updated_at)
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

-- What rules count: charges by card, document, email, address and link. Deleted after 30 days.
-- citus: distributed
CREATE TABLE risk_signals (
  seller_id uuid NOT NULL,
  transaction_id uuid NOT NULL,
  number bigint NOT NULL, -- microseconds of the server: the order in which charges count each other
  request_id uuid NOT NULL, -- the idempotency key: requests that are repeated count once
  amount bigint NOT NULL,
  declined boolean, -- null: the card of a payment page without an outcome yet
  counted_by_seller boolean NOT NULL, -- whether a rule counted the charges of its seller
  created_at timestamptz NOT NULL, -- of the transaction
  -- Keyed hashes of the kind and the value; null where the charge has none.
  card text,
  document text,
  email text,
  address text,
  link text,
  -- In this order, so that no statement that counts can use it.
  PRIMARY KEY (created_at, seller_id, transaction_id)
);
-- For rules that count charges of one seller and of all sellers, each also for declines only. Those of
-- all sellers find related charges too.
CREATE INDEX risk_signals_card ON risk_signals (seller_id, card, number)
  WHERE card IS NOT NULL AND counted_by_seller;
CREATE INDEX risk_signals_card_of_all ON risk_signals (card, number) WHERE card IS NOT NULL;
CREATE INDEX risk_signals_card_declined ON risk_signals (seller_id, card, number)
  WHERE card IS NOT NULL AND declined IS NOT FALSE;
CREATE INDEX risk_signals_card_declined_of_all ON risk_signals (card, number)
  WHERE card IS NOT NULL AND declined IS NOT FALSE;
CREATE INDEX risk_signals_document ON risk_signals (seller_id, document, number)
  WHERE document IS NOT NULL AND counted_by_seller;
CREATE INDEX risk_signals_document_of_all ON risk_signals (document, number) WHERE document IS NOT NULL;
CREATE INDEX risk_signals_document_declined ON risk_signals (seller_id, document, number)
  WHERE document IS NOT NULL AND declined IS NOT FALSE;
CREATE INDEX risk_signals_document_declined_of_all ON risk_signals (document, number)
  WHERE document IS NOT NULL AND declined IS NOT FALSE;
CREATE INDEX risk_signals_email ON risk_signals (seller_id, email, number)
  WHERE email IS NOT NULL AND counted_by_seller;
CREATE INDEX risk_signals_email_of_all ON risk_signals (email, number) WHERE email IS NOT NULL;
CREATE INDEX risk_signals_email_declined ON risk_signals (seller_id, email, number)
  WHERE email IS NOT NULL AND declined IS NOT FALSE;
CREATE INDEX risk_signals_email_declined_of_all ON risk_signals (email, number)
  WHERE email IS NOT NULL AND declined IS NOT FALSE;
CREATE INDEX risk_signals_address ON risk_signals (seller_id, address, number)
  WHERE address IS NOT NULL AND counted_by_seller;
CREATE INDEX risk_signals_address_of_all ON risk_signals (address, number) WHERE address IS NOT NULL;
CREATE INDEX risk_signals_address_declined ON risk_signals (seller_id, address, number)
  WHERE address IS NOT NULL AND declined IS NOT FALSE;
CREATE INDEX risk_signals_address_declined_of_all ON risk_signals (address, number)
  WHERE address IS NOT NULL AND declined IS NOT FALSE;
CREATE INDEX risk_signals_link ON risk_signals (seller_id, link, number)
  WHERE link IS NOT NULL AND counted_by_seller;
CREATE INDEX risk_signals_link_of_all ON risk_signals (link, number) WHERE link IS NOT NULL;
CREATE INDEX risk_signals_link_declined ON risk_signals (seller_id, link, number)
  WHERE link IS NOT NULL AND declined IS NOT FALSE;
CREATE INDEX risk_signals_link_declined_of_all ON risk_signals (link, number)
  WHERE link IS NOT NULL AND declined IS NOT FALSE;

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
