-- Reconciliation: what providers say they settled, to be held against the ledger.
-- These tables are the operator's and not a seller's: a line is known by the provider's own id before anybody knows whose it is,
-- so their keys begin with the provider. What a line matches is computed when it is asked for and not kept, so that money
-- that is booked late matches the line that came early.

-- One file that a provider settled a day with, known by its bytes: the same file again changes nothing.
-- The sums are those of the lines that count, in cents.
CREATE TABLE settlement_files (
  id uuid PRIMARY KEY,
  provider text NOT NULL,
  day date NOT NULL, -- the São Paulo day that the provider sent it for
  sha256 bytea NOT NULL,
  bytes integer NOT NULL,
  lines integer NOT NULL,
  duplicates integer NOT NULL, -- lines whose id was there before; they do not count
  money_in bigint NOT NULL,
  money_out bigint NOT NULL,
  fees bigint NOT NULL,
  imported_by uuid NOT NULL, -- the operator's user
  imported_at timestamptz NOT NULL,
  UNIQUE (provider, sha256)
);
CREATE INDEX settlement_files_by_day ON settlement_files (day, provider);

-- One movement of money as the provider tells it. number is the line of the file that it stands in. amount is what the payer paid or
-- the payee got, fee what the provider charges the operator for it, both in cents; day is the São Paulo day it was settled on.
CREATE TABLE settlement_lines (
  provider text NOT NULL,
  file_id uuid NOT NULL REFERENCES settlement_files (id),
  number integer NOT NULL,
  type text NOT NULL CHECK (type IN ('PAYMENT', 'REFUND', 'CHARGEBACK', 'WITHDRAWAL')),
  id text NOT NULL, -- the provider's own id, or ours where it has none
  reference uuid, -- our id of the record, where the provider repeats it
  amount bigint NOT NULL CHECK (amount > 0),
  fee bigint NOT NULL CHECK (fee >= 0),
  day date NOT NULL,
  duplicate boolean NOT NULL,
  PRIMARY KEY (provider, file_id, number)
);
-- The same id counts once, whichever files it stands in and however many are imported at once.
CREATE UNIQUE INDEX settlement_lines_unique_id ON settlement_lines (provider, type, id) WHERE NOT duplicate;
CREATE INDEX settlement_lines_by_day ON settlement_lines (day, provider);

-- The ledger of some days, of all sellers. Entries are appended in the order of time, so a summary of every few pages
-- finds them and costs a payment next to nothing.
CREATE INDEX ledger_entries_by_time ON ledger_entries USING brin (created_at) WITH (pages_per_range = 32, autosummarize = on);

-- A refund is dated as its money is: that is how its entries, which name the charge, are told from those of another refund.
-- Those made before this rule were dated some milliseconds earlier. Refunds of one charge and amount are as good as each other.
WITH bookings AS (
  SELECT seller_id, record_id, created_at, sum(amount) AS amount,
    row_number() OVER (PARTITION BY seller_id, record_id, sum(amount) ORDER BY created_at) AS turn
  FROM ledger_entries WHERE cause = 'REFUND' GROUP BY seller_id, record_id, created_at
), dated AS (
  SELECT seller_id, transaction_id, id, amount,
    row_number() OVER (PARTITION BY seller_id, transaction_id, amount ORDER BY created_at, id) AS turn
  FROM refunds
)
UPDATE refunds r SET created_at = b.created_at
FROM dated d JOIN bookings b ON b.seller_id = d.seller_id AND b.record_id = d.transaction_id AND b.amount = d.amount AND b.turn = d.turn
WHERE r.seller_id = d.seller_id AND r.id = d.id;
