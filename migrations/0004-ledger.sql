-- Wallets, the ledger, its chain, its totals and its checks.

-- The balance of a seller for one origin of money: the sum of its ledger entries, stored so that it can
-- be read and guarded in one row.
-- citus: distributed
CREATE TABLE wallets (
  seller_id uuid NOT NULL REFERENCES sellers (id),
  origin text NOT NULL CHECK (origin IN ('PIX', 'BOLETO', 'CARD')),
  wallet_id uuid NOT NULL, -- the same for the three origins: sellers see one wallet
  available bigint NOT NULL,
  retained bigint NOT NULL CHECK (retained >= 0), -- released on a later day
  disputed bigint NOT NULL CHECK (disputed >= 0), -- blocked by disputes
  reserved bigint NOT NULL CHECK (reserved >= 0), -- blocked by withdrawals
  entries bigint NOT NULL DEFAULT 0, -- number of ledger entries of this balance
  last_entry_ms bigint NOT NULL DEFAULT 0, -- time in the id of the last entry
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (seller_id, origin)
) WITH (fillfactor = 50); -- frequent updates stay on their page

-- A double-entry booking: amount moves from one account (debit) to another (credit). Rows are never
-- updated or deleted. The accounts available, retained, disputed and reserved make the wallet; fees and
-- provider are only summed.
-- citus: distributed
CREATE TABLE ledger_entries (
  seller_id uuid NOT NULL,
  id uuid NOT NULL,
  origin text NOT NULL CHECK (origin IN ('PIX', 'BOLETO', 'CARD')),
  debit text NOT NULL CHECK (debit IN (
    'available', 'retained', 'disputed', 'reserved', 'fees', 'provider'
  )),
  credit text NOT NULL CHECK (credit IN (
    'available', 'retained', 'disputed', 'reserved', 'fees', 'provider'
  )),
  amount bigint NOT NULL CHECK (amount > 0),
  cause text NOT NULL,
  record_id uuid NOT NULL,
  position bigint NOT NULL, -- numbers the entries of a seller and origin from 1, without gaps
  available_after bigint NOT NULL,
  blocked_after bigint NOT NULL, -- retained, disputed and reserved after the entry
  created_at timestamptz NOT NULL,
  proof text, -- HMAC by the process that booked the entry, over its content
  CHECK (debit <> credit),
  PRIMARY KEY (seller_id, origin, id) INCLUDE (cause) -- statements of a cause skip entries in it
);
-- Entries are appended in time order, so a BRIN index finds the days of all sellers.
CREATE INDEX ledger_entries_by_time ON ledger_entries
  USING brin (created_at) WITH (pages_per_range = 32, autosummarize = on);

-- Statements of a cause. Payments and their fees, which are frequent, are found along the primary key.
CREATE INDEX ledger_entries_by_cause ON ledger_entries (seller_id, cause, origin, id)
  WHERE cause NOT IN ('PAYMENT', 'PAYMENT_FEE');

-- The entries of a record are summed before its next ones are chained.
CREATE INDEX ledger_entries_by_record ON ledger_entries (seller_id, record_id);

-- A seller with a ledger entry that no process booked. Its chain is not extended and nothing is paid out
-- to it until the row is gone. The worker looks again every minute and deletes the row when all entries
-- are proven.
-- citus: distributed
CREATE TABLE ledger_holds (
  seller_id uuid PRIMARY KEY,
  problem text NOT NULL,
  checked_at timestamptz NOT NULL -- machine time
);

-- An HMAC chain over the ledger entries of a seller. Each row authenticates the entries since the row
-- before it. The worker appends rows outside the transactions that move money.
-- citus: distributed
CREATE TABLE ledger_chain (
  seller_id uuid NOT NULL,
  number bigint NOT NULL,
  last_pix_entry_id uuid, -- last authenticated entry of each origin
  last_boleto_entry_id uuid,
  last_card_entry_id uuid,
  entries bigint NOT NULL, -- number of authenticated entries so far
  balances text NOT NULL, -- position, available and blocked after the last entry of each origin
  content_hash bytea NOT NULL, -- SHA-256 of the entries
  mac text NOT NULL, -- HMAC over the previous mac, this row and content_hash
  created_at timestamptz NOT NULL,
  PRIMARY KEY (seller_id, number)
);

-- The entries of a São Paulo day of a balance by cause, up to the cursor of that balance. Reports and
-- counts of the statement add the entries after the cursor.
-- citus: distributed
CREATE TABLE ledger_daily_totals (
  seller_id uuid NOT NULL,
  origin text NOT NULL CHECK (origin IN ('PIX', 'BOLETO', 'CARD')),
  day date NOT NULL,
  cause text NOT NULL,
  entries bigint NOT NULL, -- count
  amount bigint NOT NULL, -- cents
  to_provider bigint NOT NULL, -- cents of the entries that credit the provider
  PRIMARY KEY (seller_id, origin, day, cause)
);

-- The same by hour.
-- citus: distributed
CREATE TABLE ledger_hourly_totals (
  seller_id uuid NOT NULL,
  origin text NOT NULL CHECK (origin IN ('PIX', 'BOLETO', 'CARD')),
  hour timestamptz NOT NULL, -- its start
  cause text NOT NULL,
  entries bigint NOT NULL, -- count
  amount bigint NOT NULL, -- cents
  to_provider bigint NOT NULL, -- cents of the entries that credit the provider
  PRIMARY KEY (seller_id, origin, hour, cause)
);

-- The payments of a balance by the São Paulo day on which their transaction was created, up to the same
-- cursor.
-- citus: distributed
CREATE TABLE ledger_payment_totals (
  seller_id uuid NOT NULL,
  origin text NOT NULL CHECK (origin IN ('PIX', 'BOLETO', 'CARD')),
  day date NOT NULL,
  payments bigint NOT NULL, -- count
  PRIMARY KEY (seller_id, origin, day)
);

-- The last ledger entry that these three totals include, by balance. Written by the worker
-- together with the totals.
-- citus: distributed
CREATE TABLE ledger_daily_total_cursors (
  seller_id uuid NOT NULL,
  origin text NOT NULL CHECK (origin IN ('PIX', 'BOLETO', 'CARD')),
  position bigint NOT NULL,
  entry_id uuid NOT NULL,
  PRIMARY KEY (seller_id, origin)
);

-- What the ledger moved through providers by São Paulo day, up to the cursor. A day's reconciliation adds the
-- movements after it. A page of movements skips slices. These two tables belong to the operator.
-- citus: local
CREATE TABLE provider_movement_totals (
  day date NOT NULL,
  slice integer NOT NULL, -- of about 1,000 movements of the day, all before those of the next slice
  provider text NOT NULL, -- none where no provider reported the movement
  origin text NOT NULL CHECK (origin IN ('PIX', 'BOLETO', 'CARD')),
  movements bigint NOT NULL, -- count
  money_in bigint NOT NULL, -- cents
  money_out bigint NOT NULL, -- cents
  entries bigint NOT NULL, -- count of all ledger entries of that day and origin, in slice 0 of provider none
  first_at timestamptz, -- of the movements; null without any
  last_at timestamptz,
  PRIMARY KEY (day, slice, provider, origin)
);

-- How far provider_movement_totals is. One row. Entries that were committed later than others of their time
-- are noticed, because included and later entries must be as many as the wallets have numbered.
-- citus: local
CREATE TABLE provider_movement_cursor (
  id boolean PRIMARY KEY DEFAULT true CHECK (id),
  included_before timestamptz NOT NULL, -- time of the first entry that is not included, or earlier
  entries bigint NOT NULL, -- count of the included ledger entries
  missing bigint NOT NULL -- count of entries that wallets number and the ledger does not contain
);
INSERT INTO provider_movement_cursor (included_before, entries, missing) VALUES ('2000-01-01', 0, 0);

-- What the gateway earned by São Paulo day of the ledger entries, up to the same cursor. These two tables
-- belong to the operator.
-- citus: local
CREATE TABLE revenue_totals (
  day date NOT NULL,
  origin text NOT NULL CHECK (origin IN ('PIX', 'BOLETO', 'CARD')),
  charges bigint NOT NULL, -- count of payments
  volume bigint NOT NULL, -- cents; so are the others
  fees bigint NOT NULL,
  costs bigint NOT NULL, -- of the providers, by the rates at the time of each payment
  refunds bigint NOT NULL, -- minus those that banks returned
  chargebacks bigint NOT NULL, -- and lost disputes
  PRIMARY KEY (day, origin)
);

-- The same by seller.
-- citus: local
CREATE TABLE seller_revenue_totals (
  day date NOT NULL,
  seller_id uuid NOT NULL,
  origin text NOT NULL CHECK (origin IN ('PIX', 'BOLETO', 'CARD')),
  charges bigint NOT NULL,
  volume bigint NOT NULL,
  fees bigint NOT NULL,
  costs bigint NOT NULL,
  refunds bigint NOT NULL,
  chargebacks bigint NOT NULL,
  PRIMARY KEY (day, seller_id, origin)
);

-- What a provider costs for each charge of a method, from a time until the next row of both. Only a change in
-- the same millisecond changes a row, so that past days keep their costs.
-- citus: local
CREATE TABLE provider_costs (
  provider text NOT NULL,
  method text NOT NULL CHECK (method IN ('PIX', 'BOLETO', 'CREDIT_CARD')),
  since timestamptz NOT NULL,
  fixed bigint NOT NULL CHECK (fixed >= 0), -- cents
  percentage integer NOT NULL CHECK (percentage BETWEEN 0 AND 10000), -- hundredths of a percent
  PRIMARY KEY (provider, method, since)
);

-- A check of the ledger and its result: FULL on demand, ROUTINE by the worker, NEW of the entries since the
-- last NEW. A check without finished_at is in progress, or its process has ended. Machine time. Rows are
-- deleted after 90 days, NEW ones after a day.
-- citus: local
CREATE TABLE ledger_checks (
  id uuid PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('FULL', 'ROUTINE', 'NEW')),
  holder uuid NOT NULL, -- who runs it
  started_at timestamptz NOT NULL,
  seen_at timestamptz NOT NULL, -- last sign of life, time of the database
  finished_at timestamptz,
  interrupted boolean NOT NULL DEFAULT false, -- ended before it was complete
  total_rows bigint NOT NULL, -- to check
  checked json, -- what is checked and the discrepancies
  cursor json, -- where ROUTINE continues
  discrepancies integer NOT NULL DEFAULT 0,
  found_at timestamptz -- when it last found one
);
CREATE UNIQUE INDEX ledger_checks_running ON ledger_checks (kind) WHERE finished_at IS NULL;

-- How far the entries of a seller are checked: what they sum to, and the last chain entry.
-- citus: distributed
CREATE TABLE ledger_check_marks (
  seller_id uuid PRIMARY KEY,
  entries bigint NOT NULL, -- number of checked entries
  mark json NOT NULL
);
