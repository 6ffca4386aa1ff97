-- Wallets, the ledger, its chain, its daily totals and its checks.

-- The balance of a seller for one origin of money: the sum of its ledger entries, stored so that it can
-- be read and guarded in one row.
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
  PRIMARY KEY (seller_id, origin, id)
);
-- Entries are appended in time order, so a BRIN index finds the days of all sellers.
CREATE INDEX ledger_entries_by_time ON ledger_entries
  USING brin (created_at) WITH (pages_per_range = 32, autosummarize = on);

-- The entries of a record are summed before its next ones are chained.
CREATE INDEX ledger_entries_by_record ON ledger_entries (seller_id, record_id);

-- A seller with a ledger entry that no process booked. Its chain is not extended and nothing is paid out
-- to it until the row is gone. The worker looks again every minute and deletes the row when all entries
-- are proven.
CREATE TABLE ledger_holds (
  seller_id uuid PRIMARY KEY,
  problem text NOT NULL,
  checked_at timestamptz NOT NULL -- machine time
);

-- An HMAC chain over the ledger entries of a seller. Each row authenticates the entries since the row
-- before it. The worker appends rows outside the transactions that move money.
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

-- The totals of a São Paulo day of a balance, in cents, up to the cursor of that balance. Reports add
-- the entries after the cursor.
CREATE TABLE ledger_daily_totals (
  seller_id uuid NOT NULL,
  origin text NOT NULL CHECK (origin IN ('PIX', 'BOLETO', 'CARD')),
  day date NOT NULL,
  payments bigint NOT NULL, -- count
  volume bigint NOT NULL, -- paid by payers
  fees bigint NOT NULL, -- of those payments
  refunded bigint NOT NULL,
  charged_back bigint NOT NULL, -- chargebacks and lost disputes
  PRIMARY KEY (seller_id, origin, day)
);

-- The last ledger entry that ledger_daily_totals includes, by balance. Written by the worker together
-- with the totals.
CREATE TABLE ledger_daily_total_cursors (
  seller_id uuid NOT NULL,
  origin text NOT NULL CHECK (origin IN ('PIX', 'BOLETO', 'CARD')),
  position bigint NOT NULL,
  entry_id uuid NOT NULL,
  PRIMARY KEY (seller_id, origin)
);

-- A recomputation of the ledger and its result. Machine time. A run without finished_at is in progress,
-- or its process ended. Rows are deleted after 90 days.
CREATE TABLE ledger_checks (
  id uuid PRIMARY KEY,
  started_at timestamptz NOT NULL,
  finished_at timestamptz,
  entries bigint,
  discrepancies integer,
  seen_at timestamptz -- last sign of life of a run in progress
);
