-- How far a provider's own lists have been read, so that what no callback told is found and nothing is read for ever anew.
-- One process at a time reads a list: it is not due before claimed_until. Both are times of the provider's world, which the
-- sandbox's clock does not move.
CREATE TABLE provider_positions (
  provider text NOT NULL,
  list text NOT NULL,
  read_until timestamptz NOT NULL,
  claimed_until timestamptz NOT NULL,
  PRIMARY KEY (provider, list)
);

-- What PIX providers told of MED, the payer's way to claim a payment back: NOTICE is a request with its outcome, RETURN is money
-- that the provider took. Once by the provider's own id, and with the dispute that holds or has lost the money of it.
CREATE TABLE med_events (
  seller_id uuid NOT NULL,
  provider text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('NOTICE', 'RETURN')),
  provider_event_id text NOT NULL,
  transaction_id uuid NOT NULL,
  dispute_id uuid, -- none where a notice was denied before it was ever opened
  amount bigint NOT NULL CHECK (amount >= 0),
  outcome text CHECK (outcome IN ('ACCEPTED', 'DENIED')), -- of a NOTICE
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (seller_id, provider, kind, provider_event_id)
);
CREATE INDEX med_events_by_transaction ON med_events (seller_id, transaction_id);
