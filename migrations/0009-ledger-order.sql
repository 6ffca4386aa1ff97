-- The ledger gets an order that is the order of the wallet itself, balances after each entry, and seals.

-- How many entries the balance has had, and the time in the id of its last one. Both are written with the balance, under
-- the lock of its row, so the entries of one balance are numbered without a gap in the order in which they took effect.
ALTER TABLE wallets
  ADD COLUMN entries bigint NOT NULL DEFAULT 0,
  ADD COLUMN last_entry_ms bigint NOT NULL DEFAULT 0;

-- position counts the entries of one seller and origin from 1. The id begins with a time and goes on with the position: within
-- one balance its order is that of the positions, over all three it is the order of time. The two balances are those of the origin
-- after the entry; blocked is what is retained, disputed or reserved.
ALTER TABLE ledger_entries
  ADD COLUMN position bigint,
  ADD COLUMN available_after bigint,
  ADD COLUMN blocked_after bigint;

-- What a payment brings is booked whole and the fee taken from it, so that a seller sees both.
UPDATE ledger_entries p SET amount = p.amount + f.amount
FROM ledger_entries f
WHERE p.cause = 'PAYMENT' AND f.cause = 'PAYMENT_FEE' AND f.debit = 'provider'
  AND f.seller_id = p.seller_id AND f.record_id = p.record_id;
UPDATE ledger_entries f SET debit = p.credit
FROM ledger_entries p
WHERE f.cause = 'PAYMENT_FEE' AND f.debit = 'provider' AND p.cause = 'PAYMENT'
  AND p.seller_id = f.seller_id AND p.record_id = f.record_id;

WITH changes AS (
  SELECT seller_id, id, origin,
    CASE 'available' WHEN credit THEN amount WHEN debit THEN -amount ELSE 0 END AS available,
    CASE WHEN credit IN ('retained', 'disputed', 'reserved') THEN amount ELSE 0 END
      - CASE WHEN debit IN ('retained', 'disputed', 'reserved') THEN amount ELSE 0 END AS blocked
  FROM ledger_entries
), numbered AS (
  SELECT seller_id, id, row_number() OVER w AS position, sum(available) OVER w AS available, sum(blocked) OVER w AS blocked
  FROM changes WINDOW w AS (PARTITION BY seller_id, origin ORDER BY id)
)
UPDATE ledger_entries e
SET position = n.position, available_after = n.available, blocked_after = n.blocked
FROM numbered n WHERE n.seller_id = e.seller_id AND n.id = e.id;

UPDATE wallets w SET entries = e.entries, last_entry_ms = e.last_ms + 1
FROM (
  SELECT seller_id, origin, count(*) AS entries,
    max(('x' || left(id::text, 8) || substr(id::text, 10, 4))::bit(48)::bigint) AS last_ms
  FROM ledger_entries GROUP BY seller_id, origin
) e
WHERE e.seller_id = w.seller_id AND e.origin = w.origin;

ALTER TABLE ledger_entries
  ALTER COLUMN position SET NOT NULL,
  ALTER COLUMN available_after SET NOT NULL,
  ALTER COLUMN blocked_after SET NOT NULL,
  DROP CONSTRAINT ledger_entries_pkey,
  ADD PRIMARY KEY (seller_id, origin, id);

-- The chain over a seller's entries: each seal vouches for the entries since the seal before it, by a hash that only the holder of
-- ENCRYPTION_KEY can make. Written by the worker, never with the money. *_upto is the last entry of that origin that is
-- sealed; entries counts all that are.
CREATE TABLE ledger_chain (
  seller_id uuid NOT NULL,
  number bigint NOT NULL,
  last_pix_entry_id uuid,
  last_boleto_entry_id uuid,
  last_card_entry_id uuid,
  entries bigint NOT NULL,
  content_hash bytea NOT NULL, -- SHA-256 of the entries
  mac text NOT NULL, -- HMAC over the seal before, this row and the content
  created_at timestamptz NOT NULL,
  PRIMARY KEY (seller_id, number)
);

-- What the operator takes for a chargeback, in cents.
ALTER TABLE sellers ADD COLUMN chargeback_fee bigint NOT NULL DEFAULT 0 CHECK (chargeback_fee >= 0);
