-- Keys are replaced while the gateway serves, and payers are forgotten.

-- The keys that this database has been sealed with, by the id that sealed values carry; never a key itself. A key that is not
-- retired is needed to read what is here, so no start goes without it.
CREATE TABLE encryption_keys (
  id text PRIMARY KEY,
  check_value text NOT NULL, -- a known text sealed with the key: who opens it has the right one
  first_used_at timestamptz NOT NULL,
  retired_at timestamptz, -- when nothing was left under it
  encrypted_chain_key text -- what its seals of the ledger are checked with, sealed with the key that followed; none until then
);

-- A card is kept until a month after it expires.
CREATE INDEX card_tokens_by_expiry ON card_tokens (expiration_year, expiration_month);

-- When a payer's name and the rest were replaced; null for nearly all.
ALTER TABLE transaction_customers ADD COLUMN erased_at timestamptz;
