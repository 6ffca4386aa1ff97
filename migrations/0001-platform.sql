-- Clock, worker and encryption keys.

-- Rules for every table of seller data:
--   * seller_id is the first column of every primary key, unique index and foreign key, and is in every
--     WHERE clause, so the same schema runs on one PostgreSQL server and distributed by seller.
--   * Statements take the time as a parameter; none asks the database for it.
--   * Money is an integer number of cents in a bigint.
--   * No triggers and no deferred constraints: one statement or transaction writes what must hold together.
--   * Each table says how `npm run distribute` places it: distributed by seller_id, reference (a copy on
--     every node), or local to the coordinator.
-- sellers, users, passkeys, invitations, password_resets, refresh_tokens and api_keys are looked up before a
-- seller is known. Only they have unique indexes without seller_id.

-- The clock that deadlines, expirations and retries follow: the machine's time plus offset_ms. One row.
-- Only the sandbox moves it, and only forward.
-- citus: reference
CREATE TABLE domain_clock (
  id boolean PRIMARY KEY DEFAULT true CHECK (id),
  offset_ms bigint NOT NULL, -- milliseconds
  -- machine time; the demo data import pauses the workers and renews this value
  workers_paused_until timestamptz
);
INSERT INTO domain_clock (offset_ms) VALUES (0);

-- The MODE of the first start on this database. The gateway does not start with another. One row; none
-- before the first start.
-- citus: local
CREATE TABLE database_mode (
  id boolean PRIMARY KEY DEFAULT true CHECK (id),
  mode text NOT NULL CHECK (mode IN ('sandbox', 'production'))
);

-- Present from `npm run restored` until its confirmation: nothing is paid out or shipped. At most one row.
-- citus: local
CREATE TABLE payout_pause (
  id boolean PRIMARY KEY DEFAULT true CHECK (id),
  restored_to timestamptz NOT NULL, -- the time to which the database was restored
  paused_at timestamptz NOT NULL
);

-- A process that runs the worker, updated every few seconds. It holds leases under its id, and loses them
-- when `alive_at` (time of the database) is old. Rows of ended processes are deleted after a day. All other
-- times are machine time.
-- citus: local
CREATE TABLE worker_heartbeats (
  id uuid PRIMARY KEY,
  started_at timestamptz NOT NULL,
  seen_at timestamptz NOT NULL,
  alive_at timestamptz NOT NULL,
  leases text NOT NULL DEFAULT 'HELD', -- HELD, LOST (to be ended), ENDED
  loops json NOT NULL -- [{name, lastRunAt, failures}]
);

-- A data key that encrypts values in this database, by the id that those values carry, wrapped by the
-- master key. Retired keys stay: they verify old entries of the ledger chain.
-- citus: reference
CREATE TABLE encryption_keys (
  id text PRIMARY KEY,
  wrapped_key text NOT NULL,
  created_at timestamptz NOT NULL,
  -- machine time; until then processes only learn the key
  encrypts_from timestamptz NOT NULL,
  retired_at timestamptz -- set when no value is encrypted with the key anymore
);

-- A record (seller, user, session or API key) that changed, written in the transaction of the change.
-- Every process polls for new rows and reads these records again. Rows are deleted after a minute.
-- citus: local
CREATE TABLE cache_invalidations (
  transaction_id xid8 NOT NULL,
  record_id uuid NOT NULL,
  PRIMARY KEY (transaction_id, record_id)
);

-- The rows of a list of all sellers by São Paulo day of creation, up to the cursor of the list.
-- citus: local
CREATE TABLE daily_counts (
  list text NOT NULL,
  day date NOT NULL,
  kind text NOT NULL, -- a part of the list, or a seller; empty if it has none
  count bigint NOT NULL,
  PRIMARY KEY (list, kind, day)
);

-- The id up to which daily_counts includes the rows of a list, exclusive. Written by the worker together
-- with the counts.
-- citus: local
CREATE TABLE daily_count_cursors (
  list text PRIMARY KEY,
  counted_before uuid NOT NULL
);
