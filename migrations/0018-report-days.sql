-- Reports of a year cost what those of a day cost.

-- What the ledger moved in a day of São Paulo, in cents, of the entries up to the mark: reports add what came after it. Entries of
-- one balance are numbered in the order in which they took effect and are never changed, so these sums are exact at every
-- moment, whenever they are made.
CREATE TABLE ledger_daily_totals (
  seller_id uuid NOT NULL,
  origin text NOT NULL CHECK (origin IN ('PIX', 'BOLETO', 'CARD')),
  day date NOT NULL,
  payments bigint NOT NULL, -- how many
  volume bigint NOT NULL, -- what payers paid
  fees bigint NOT NULL, -- taken from those payments
  refunded bigint NOT NULL,
  charged_back bigint NOT NULL, -- chargebacks and lost disputes
  PRIMARY KEY (seller_id, origin, day)
);

-- The last entry of a balance that is in ledger_daily_totals. Written by the worker together with the sums.
CREATE TABLE ledger_daily_total_cursors (
  seller_id uuid NOT NULL,
  origin text NOT NULL CHECK (origin IN ('PIX', 'BOLETO', 'CARD')),
  position bigint NOT NULL,
  entry_id uuid NOT NULL,
  PRIMARY KEY (seller_id, origin)
);
