-- Settlement files of providers, compared with the ledger. These tables belong to the operator: their
-- keys begin with the provider, because a line is known by the provider's id before its seller is known.

-- A settlement file of a provider. The same bytes import once. Sums are in cents and count non-duplicate
-- lines.
-- citus: local
CREATE TABLE settlement_files (
  id uuid PRIMARY KEY,
  provider text NOT NULL,
  day date NOT NULL, -- São Paulo day that the file settles
  sha256 bytea NOT NULL,
  bytes integer NOT NULL,
  lines integer NOT NULL,
  duplicates integer NOT NULL, -- lines whose id was imported before
  money_in bigint NOT NULL,
  money_out bigint NOT NULL,
  fees bigint NOT NULL,
  imported_by uuid NOT NULL, -- operator's user
  imported_at timestamptz NOT NULL,
  UNIQUE (provider, sha256)
);
CREATE INDEX settlement_files_by_day ON settlement_files (day, provider);

-- One movement of a settlement file. Matches with the ledger are not stored, so an entry that is booked
-- late matches a line that came early.
-- citus: local
CREATE TABLE settlement_lines (
  provider text NOT NULL,
  file_id uuid NOT NULL REFERENCES settlement_files (id),
  number integer NOT NULL, -- line of the file
  type text NOT NULL CHECK (type IN ('PAYMENT', 'REFUND', 'CHARGEBACK', 'WITHDRAWAL')),
  id text NOT NULL, -- the provider's id, or ours where the provider has none
  reference uuid, -- our record id, where the provider repeats it
  amount bigint NOT NULL CHECK (amount > 0), -- cents, paid by the payer or to the payee
  fee bigint NOT NULL CHECK (fee >= 0), -- cents, charged to the operator
  day date NOT NULL, -- São Paulo day of the settlement
  duplicate boolean NOT NULL,
  PRIMARY KEY (provider, file_id, number)
);
CREATE INDEX settlement_lines_by_day ON settlement_lines (day, provider);
-- Finds the line that refers to a new movement.
CREATE INDEX settlement_lines_by_reference ON settlement_lines (provider, type, (reference::text))
  WHERE NOT duplicate AND reference IS NOT NULL;
-- An id counts once, whichever files contain it.
CREATE UNIQUE INDEX settlement_lines_unique_id ON settlement_lines (provider, type, id) WHERE NOT duplicate;

-- The reconciliation of a day as the worker computed it, and what it depends on: another number of entries or
-- files makes it invalid.
-- citus: local
CREATE TABLE reconciled_days (
  day date PRIMARY KEY,
  included_before timestamptz NOT NULL, -- time of the first movement that is not included, or earlier
  entries bigint NOT NULL, -- count of the ledger entries before that time of all days that can match this one
  files bigint NOT NULL, -- count of files that may concern the day
  settings text NOT NULL, -- JSON: the format of the rows, and the default providers
  rows json NOT NULL -- an array with an object for each provider
);
