-- State of provider adapters: CNAB files, boleto numbers, Pix lists, MED, and the sandbox.

-- The next free number of the boleto agreement. Processes take blocks of numbers. One row.
-- citus: local
CREATE TABLE boleto_numbers (
  id boolean PRIMARY KEY DEFAULT true CHECK (id),
  next bigint NOT NULL
);
INSERT INTO boleto_numbers (next) VALUES (1);

-- The registration of a boleto at the bank by CNAB files. TO_SHIP waits for the next file, AT_BANK was
-- sent, WRITING_OFF waits for the bank to confirm the write-off, ENDED needs nothing more.
-- citus: distributed
CREATE TABLE boleto_registrations (
  seller_id uuid NOT NULL,
  transaction_id uuid NOT NULL,
  bank_code text NOT NULL,
  number text NOT NULL, -- our number (nosso número), from one sequence
  -- shown to the seller and the payer
  registration text NOT NULL CHECK (registration IN ('PENDING', 'REGISTERED', 'REJECTED')),
  stage text NOT NULL CHECK (stage IN ('TO_SHIP', 'AT_BANK', 'WRITING_OFF', 'ENDED')),
  reason text, -- why the bank rejected it
  shipment_id uuid, -- file that registers it
  write_off_shipment_id uuid, -- file that writes it off
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (seller_id, transaction_id)
);
CREATE INDEX boletos_at_bank ON boleto_registrations (created_at) WHERE stage = 'AT_BANK';
-- The lines of the bank name a boleto by its number alone.
CREATE INDEX boletos_by_number ON boleto_registrations (bank_code, number);
CREATE INDEX boletos_to_ship ON boleto_registrations (created_at) WHERE stage = 'TO_SHIP';

-- A withdrawal that is paid by a CNAB file. It is in one file only.
-- citus: distributed
CREATE TABLE cnab_payments (
  seller_id uuid NOT NULL,
  withdrawal_id uuid NOT NULL,
  reference bigint GENERATED ALWAYS AS IDENTITY, -- our reference in the file, which the bank repeats
  service text NOT NULL CHECK (service IN ('PIX', 'TRANSFERS')),
  amount bigint NOT NULL CHECK (amount > 0),
  encrypted_instruction text NOT NULL, -- payee and account
  stage text NOT NULL CHECK (stage IN ('TO_SHIP', 'AT_BANK', 'ENDED')),
  shipment_id uuid,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (seller_id, withdrawal_id)
);
CREATE INDEX cnab_payments_by_reference ON cnab_payments (reference);
CREATE INDEX cnab_payments_to_ship ON cnab_payments (service, created_at) WHERE stage = 'TO_SHIP';

-- The last file number of a sequence. Banks require numbers without gaps, so the row is locked until the
-- file is committed.
-- citus: local
CREATE TABLE cnab_sequences (
  bank_code text NOT NULL,
  sequence text NOT NULL CHECK (sequence IN ('BOLETOS', 'PAYMENTS')),
  last integer NOT NULL,
  -- after a restore: files with later numbers may have been sent, so none is created until `last` is set
  is_open boolean NOT NULL DEFAULT false,
  PRIMARY KEY (bank_code, sequence)
);

-- A file for a bank, encrypted because it names payers and payees. It holds records of many sellers and
-- belongs to the operator.
-- citus: local
CREATE TABLE cnab_shipments (
  id uuid PRIMARY KEY,
  bank_code text NOT NULL,
  sequence text NOT NULL CHECK (sequence IN ('BOLETOS', 'PAYMENTS')),
  number integer NOT NULL,
  service text NOT NULL CHECK (service IN ('BOLETOS', 'TRANSFERS', 'PIX')),
  registrations integer NOT NULL,
  write_offs integer NOT NULL,
  payments integer NOT NULL,
  amount bigint NOT NULL, -- cents, registered or paid
  sha256 bytea NOT NULL,
  encrypted_file text NOT NULL,
  made_by uuid, -- operator's user; null for the command line
  made_at timestamptz NOT NULL,
  -- when the command line had written the file, or it was downloaded; null if its content never left
  written_at timestamptz,
  UNIQUE (bank_code, sequence, number)
);
CREATE INDEX cnab_shipments_unwritten ON cnab_shipments (service, number) WHERE written_at IS NULL;

-- A return file of a bank. The same bytes import once.
-- citus: local
CREATE TABLE cnab_returns (
  id uuid PRIMARY KEY,
  bank_code text NOT NULL,
  sha256 bytea NOT NULL UNIQUE,
  bytes integer NOT NULL,
  number integer NOT NULL, -- the bank's
  taken_by uuid,
  taken_at timestamptz NOT NULL,
  completed_at timestamptz -- null while lines wait to be processed
);
CREATE INDEX cnab_returns_to_complete ON cnab_returns (id) WHERE completed_at IS NULL;

-- A line of a return file and its outcome. A line that repeats the identity of one that counted is
-- REPEATED.
-- citus: local
CREATE TABLE cnab_return_lines (
  return_id uuid NOT NULL REFERENCES cnab_returns (id),
  number integer NOT NULL, -- of the line, from 1
  kind text NOT NULL,
  code text NOT NULL, -- the bank's movement or occurrence code
  record text NOT NULL, -- our number or reference as in the line
  amount bigint NOT NULL,
  tariff bigint NOT NULL,
  occurred_on date,
  credited_on date,
  bank_reference text,
  reason text,
  identity text, -- of the occurrence in any file; null where it cannot repeat
  -- null until the line is processed
  outcome text CHECK (outcome IN ('APPLIED', 'NOTED', 'REPEATED', 'LATE', 'REJECTED', 'UNMATCHED')),
  detail text, -- why it changed nothing
  seller_id uuid,
  record_id uuid, -- the transaction or withdrawal
  -- whether it was applied, or its payment is returned; other lines never make a line REPEATED
  counted boolean NOT NULL DEFAULT false,
  decision text CHECK (decision IN ('ACCEPTED', 'DISMISSED')), -- the operator's, after a review
  decided_by uuid, -- operator's user
  decided_at timestamptz,
  PRIMARY KEY (return_id, number)
);
CREATE UNIQUE INDEX cnab_return_lines_once ON cnab_return_lines (identity) WHERE counted;
-- A payment that the bank has reported as paid, or maybe paid, does not fail by a later line.
CREATE INDEX cnab_return_lines_payouts ON cnab_return_lines (record)
  WHERE kind IN ('PAYOUT_PAID', 'PAYOUT_UNCLEAR');
CREATE INDEX cnab_return_lines_open ON cnab_return_lines (return_id, number) WHERE outcome IS NULL;

-- How far the list of a provider has been read, so that missed callbacks are found. claimed_until leases
-- the list to one process. Provider time, which the sandbox clock does not move.
-- citus: local
CREATE TABLE provider_positions (
  provider text NOT NULL,
  list text NOT NULL,
  read_until timestamptz NOT NULL,
  claimed_until timestamptz NOT NULL,
  PRIMARY KEY (provider, list)
);

-- A message about MED, the return mechanism of Pix. NOTICE is a request with its outcome, RETURN is
-- money that the provider took. Stored once for each provider event id.
-- citus: distributed
CREATE TABLE med_events (
  seller_id uuid NOT NULL,
  provider text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('NOTICE', 'RETURN')),
  provider_event_id text NOT NULL,
  transaction_id uuid NOT NULL,
  dispute_id uuid, -- null where a notice was denied before a dispute was opened
  amount bigint NOT NULL CHECK (amount >= 0),
  outcome text CHECK (outcome IN ('ACCEPTED', 'DENIED')), -- of a NOTICE
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (seller_id, provider, kind, provider_event_id)
);
CREATE INDEX med_events_by_transaction ON med_events (seller_id, transaction_id);

-- A provider event that the sandbox simulates later, as its test card numbers promise.
-- citus: distributed
CREATE TABLE sandbox_scheduled_events (
  seller_id uuid NOT NULL,
  transaction_id uuid NOT NULL,
  kind text NOT NULL,
  due_at timestamptz NOT NULL,
  PRIMARY KEY (seller_id, transaction_id, kind)
);
CREATE INDEX sandbox_scheduled_events_due ON sandbox_scheduled_events (due_at);

-- The key that signs the payloads of BR Codes in the sandbox. A process makes it at the first use.
-- citus: local
CREATE TABLE sandbox_signing_keys (
  id uuid PRIMARY KEY,
  purpose text NOT NULL UNIQUE CHECK (purpose = 'PIX'),
  certificate text NOT NULL, -- DER in base64
  encrypted_private_key text NOT NULL, -- PEM
  created_at timestamptz NOT NULL
);
