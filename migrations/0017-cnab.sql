-- Boletos and payments that go to a bank by files (CNAB 240).

-- Where a boleto stands with the bank that must register it before it can be paid; boletos of other providers have no row.
-- registration is what the seller and the payer are told, stage what the next file must tell the bank: TO_SHIP waits to be
-- registered, AT_BANK was put into a file, WRITING_OFF is to be forgotten by the bank, and the bank's file has not said so yet; of
-- ENDED there is nothing more to tell. number is our number as files carry it. It is taken from one sequence, so it needs no unique index.
CREATE TABLE boleto_registrations (
  seller_id uuid NOT NULL,
  transaction_id uuid NOT NULL,
  bank_code text NOT NULL,
  number text NOT NULL,
  registration text NOT NULL CHECK (registration IN ('PENDING', 'REGISTERED', 'REJECTED')),
  stage text NOT NULL CHECK (stage IN ('TO_SHIP', 'AT_BANK', 'WRITING_OFF', 'ENDED')),
  reason text, -- why the bank has rejected it
  shipment_id uuid, -- the file that asked to register it
  write_off_shipment_id uuid, -- the file that asked to write it off
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (seller_id, transaction_id)
);
CREATE INDEX boletos_to_ship ON boleto_registrations (created_at) WHERE stage = 'TO_SHIP';
CREATE INDEX boletos_at_bank ON boleto_registrations (created_at) WHERE stage = 'AT_BANK';
-- The bank's lines know a boleto by its number alone.
CREATE INDEX boletos_by_number ON boleto_registrations (bank_code, number);

-- A withdrawal that leaves by a file. reference is what the file calls it and the bank's answer gives back; who is paid, and where,
-- is sealed. It stands in one file, whoever asks for files and however often.
CREATE TABLE cnab_payments (
  seller_id uuid NOT NULL,
  withdrawal_id uuid NOT NULL,
  reference bigint GENERATED ALWAYS AS IDENTITY,
  service text NOT NULL CHECK (service IN ('PIX', 'TRANSFERS')),
  amount bigint NOT NULL CHECK (amount > 0),
  encrypted_instruction text NOT NULL,
  stage text NOT NULL CHECK (stage IN ('TO_SHIP', 'AT_BANK', 'ENDED')),
  shipment_id uuid,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (seller_id, withdrawal_id)
);
CREATE INDEX cnab_payments_to_ship ON cnab_payments (service, created_at) WHERE stage = 'TO_SHIP';
CREATE INDEX cnab_payments_by_reference ON cnab_payments (reference);

-- The last number of each sequence of files, one for boletos and one for payments with each bank. Banks want them without gaps, so whoever
-- makes a file holds this row until the file is written.
CREATE TABLE cnab_sequences (
  bank_code text NOT NULL,
  sequence text NOT NULL CHECK (sequence IN ('BOLETOS', 'PAYMENTS')),
  last integer NOT NULL,
  PRIMARY KEY (bank_code, sequence)
);

-- A file that was made for a bank, sealed since it names payers and payees, and kept so that it can be had again byte for byte. These tables
-- are the operator's and not a seller's: a file holds records of many.
CREATE TABLE cnab_shipments (
  id uuid PRIMARY KEY,
  bank_code text NOT NULL,
  sequence text NOT NULL CHECK (sequence IN ('BOLETOS', 'PAYMENTS')),
  number integer NOT NULL,
  service text NOT NULL CHECK (service IN ('BOLETOS', 'TRANSFERS', 'PIX')),
  registrations integer NOT NULL,
  write_offs integer NOT NULL,
  payments integer NOT NULL,
  amount bigint NOT NULL, -- of what is registered or paid, in cents
  sha256 bytea NOT NULL,
  encrypted_file text NOT NULL,
  made_by uuid, -- the operator's user; null where a command of the machine made it
  made_at timestamptz NOT NULL,
  UNIQUE (bank_code, sequence, number)
);

-- A file of the bank, known by its bytes: the same file again changes nothing. completed_at is null while lines of it wait to be worked on.
CREATE TABLE cnab_returns (
  id uuid PRIMARY KEY,
  bank_code text NOT NULL,
  sha256 bytea NOT NULL UNIQUE,
  bytes integer NOT NULL,
  number integer NOT NULL, -- the bank's own
  taken_by uuid,
  taken_at timestamptz NOT NULL,
  completed_at timestamptz
);
CREATE INDEX cnab_returns_to_complete ON cnab_returns (id) WHERE completed_at IS NULL;

-- What a line of such a file tells, and what came of it. identity names the happening, whichever file tells of it: it counts in the first one, and
-- a line of another file that tells it again is REPEATED. outcome is null until the line is worked on.
CREATE TABLE cnab_return_lines (
  return_id uuid NOT NULL REFERENCES cnab_returns (id),
  number integer NOT NULL, -- of the file, counted from 1
  kind text NOT NULL,
  code text NOT NULL, -- the bank's: a movement or occurrences
  record text NOT NULL, -- our number or our reference, as the line has it
  amount bigint NOT NULL,
  tariff bigint NOT NULL,
  occurred_on date,
  credited_on date,
  bank_reference text,
  reason text, -- the bank's, in words
  identity text, -- null where the line tells nothing that could be told twice
  outcome text CHECK (outcome IN ('APPLIED', 'NOTED', 'REPEATED', 'LATE', 'REJECTED', 'UNMATCHED')),
  detail text, -- why it changed nothing
  seller_id uuid,
  record_id uuid, -- the transaction or withdrawal
  PRIMARY KEY (return_id, number)
);
CREATE UNIQUE INDEX cnab_return_lines_once ON cnab_return_lines (identity) WHERE outcome IS DISTINCT FROM 'REPEATED';
CREATE INDEX cnab_return_lines_open ON cnab_return_lines (return_id, number) WHERE outcome IS NULL;

-- TED: to a bank account. Its number is sealed and masked as PIX keys are; bank, branch and type are not.
ALTER TABLE withdrawals
  ADD COLUMN bank_code text,
  ADD COLUMN bank_branch text,
  ADD COLUMN bank_account_type text CHECK (bank_account_type IN ('CHECKING', 'SAVINGS')),
  DROP CONSTRAINT withdrawals_method_check,
  ADD CONSTRAINT withdrawals_method_check CHECK (method IN ('PIX', 'CRYPTO', 'TED')),
  ADD CONSTRAINT withdrawals_to_account CHECK (
    (method = 'TED') = (bank_code IS NOT NULL) AND (method = 'TED') = (bank_branch IS NOT NULL)
    AND (method = 'TED') = (bank_account_type IS NOT NULL));
