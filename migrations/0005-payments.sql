-- Transactions, provider events and operations, refunds and disputes.

-- A transaction (payment). Its mutable columns are kept narrow. Every change raises version by one and
-- applies only to the version it was decided on.
-- citus: distributed
CREATE TABLE transactions (
  seller_id uuid NOT NULL,
  id uuid NOT NULL,
  method text NOT NULL CHECK (method IN ('PIX', 'BOLETO', 'CREDIT_CARD')),
  status text NOT NULL CHECK (status IN (
    'PENDING', 'WAITING_PAYMENT', 'PROCESSING', 'AUTHORIZED', 'PAID', 'FAILED', 'REFUSED',
    'REFUNDED', 'CHARGEDBACK', 'DISPUTE'
  )),
  status_reason text,
  version integer NOT NULL,
  amount bigint NOT NULL CHECK (amount > 0),
  fee_amount bigint NOT NULL CHECK (fee_amount >= 0 AND fee_amount < amount),
  refunded_amount bigint NOT NULL CHECK (refunded_amount >= 0 AND refunded_amount <= amount),
  description text,
  metadata json, -- json, not jsonb: returned as it was sent, byte for byte
  postback_url text,
  expires_at timestamptz,
  paid_at timestamptz,
  installments smallint,
  -- the rule of fee_amount, for captures of a part
  fee_type text CHECK (fee_type IN ('FIXED', 'PERCENTAGE')),
  fee_value bigint,
  fee_fixed_part bigint,
  fee_minimum bigint,
  -- refunds that a provider has not confirmed; already deducted from the balance
  refunding_amount bigint NOT NULL DEFAULT 0 CHECK (refunding_amount >= 0),
  external_ref text, -- the seller's order number
  customer_id uuid, -- what created it, where that is a record of the seller
  payment_link_id uuid,
  subscription_id uuid,
  -- opens the public payment page, together with the id
  payment_secret uuid NOT NULL DEFAULT gen_random_uuid(),
  public_url text NOT NULL DEFAULT '', -- of the gateway at the creation, for replays
  risk_status text CHECK (risk_status IN ('REVIEW', 'APPROVED', 'REFUSED')), -- null: allowed
  risk_capture boolean, -- of a card in review: whether an approval captures it
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (seller_id, id)
) WITH (fillfactor = 90); -- frequent updates stay on their page
-- Public addresses and the operator know a transaction by its id alone.
CREATE INDEX transactions_by_id ON transactions (id);
-- Lists by method and status merge the ends of this index.
CREATE INDEX transactions_by_status ON transactions (seller_id, method, status, id);
-- The filters of lists. Partial, so that transactions without a reference do not pay for them.
CREATE INDEX transactions_by_external_ref ON transactions (seller_id, external_ref, id)
  WHERE external_ref IS NOT NULL;
CREATE INDEX transactions_by_customer ON transactions (seller_id, customer_id, id)
  WHERE customer_id IS NOT NULL;
CREATE INDEX transactions_by_payment_link ON transactions (seller_id, payment_link_id, id)
  WHERE payment_link_id IS NOT NULL;
CREATE INDEX transactions_by_subscription ON transactions (seller_id, subscription_id, id)
  WHERE subscription_id IS NOT NULL;
CREATE INDEX transactions_refunding ON transactions (seller_id, id) WHERE refunding_amount > 0;
-- What a completed link cancels.
CREATE INDEX transactions_unpaid_by_payment_link ON transactions (seller_id, payment_link_id, id)
  WHERE payment_link_id IS NOT NULL AND status IN ('PENDING', 'WAITING_PAYMENT', 'PROCESSING', 'AUTHORIZED');
-- The review queue of the operator.
CREATE INDEX transactions_in_review ON transactions (id)
  WHERE risk_status = 'REVIEW' AND status IN ('PENDING', 'PROCESSING', 'AUTHORIZED');
-- Due work of the worker; final transactions leave the index.
CREATE INDEX transactions_to_expire ON transactions (expires_at)
  WHERE status IN ('PENDING', 'WAITING_PAYMENT', 'AUTHORIZED');
-- Statistics on seller_id are always a little old: a seller that has grown since the last ANALYZE would be
-- planned as one with a row or two. Without them every seller is planned alike.
ALTER TABLE transactions ALTER COLUMN seller_id SET STATISTICS 0;

-- A customer of a seller. Transactions copy its data into transaction_customers.
-- citus: distributed
CREATE TABLE customers (
  seller_id uuid NOT NULL REFERENCES sellers (id),
  id uuid NOT NULL,
  name text NOT NULL,
  email text NOT NULL,
  phone text NOT NULL,
  document_type text NOT NULL CHECK (document_type IN ('CPF', 'CNPJ')),
  document text NOT NULL,
  external_ref text,
  address json,
  metadata json,
  notes text,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (seller_id, id)
);
-- A person is one customer.
CREATE UNIQUE INDEX customers_by_document ON customers (seller_id, document);
CREATE INDEX customers_by_external_ref ON customers (seller_id, external_ref, id)
  WHERE external_ref IS NOT NULL;
-- The operator finds the records of a person.
CREATE INDEX customers_of_person ON customers (document);
CREATE INDEX customers_by_email ON customers (lower(email));
-- As of transactions, below.
ALTER TABLE customers ALTER COLUMN seller_id SET STATISTICS 0;

-- The payer of a transaction as given at its creation. One row for each transaction, so erasing a person
-- touches one table.
-- citus: distributed
CREATE TABLE transaction_customers (
  seller_id uuid NOT NULL,
  transaction_id uuid NOT NULL,
  id uuid NOT NULL,
  external_ref text,
  name text NOT NULL,
  email text NOT NULL,
  phone text NOT NULL,
  document_type text NOT NULL CHECK (document_type IN ('CPF', 'CNPJ')),
  document text NOT NULL,
  erased_at timestamptz, -- set when the personal data was replaced
  created_at timestamptz NOT NULL,
  PRIMARY KEY (seller_id, transaction_id)
);

-- A line item of a transaction, in the order sent.
-- citus: distributed
CREATE TABLE transaction_items (
  seller_id uuid NOT NULL,
  transaction_id uuid NOT NULL,
  position smallint NOT NULL,
  id uuid NOT NULL,
  title text NOT NULL,
  amount bigint NOT NULL, -- unit price in cents
  quantity integer NOT NULL,
  tangible boolean NOT NULL,
  external_ref text,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (seller_id, transaction_id, position)
);

-- The Pix code of a transaction.
-- citus: distributed
CREATE TABLE pix_payments (
  seller_id uuid NOT NULL,
  transaction_id uuid NOT NULL,
  id uuid NOT NULL,
  txid text NOT NULL,
  location text NOT NULL, -- the address in the BR Code
  code text NOT NULL, -- BR Code (copy and paste)
  expires_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (seller_id, transaction_id)
);

-- The boleto of a transaction. Its Pix code is in pix_payments.
-- citus: distributed
CREATE TABLE boleto_payments (
  seller_id uuid NOT NULL,
  transaction_id uuid NOT NULL,
  id uuid NOT NULL,
  our_number text NOT NULL,
  barcode text NOT NULL,
  digitable_line text NOT NULL,
  due_date date NOT NULL,
  location text NOT NULL, -- public address with an unguessable token, which is its authorization
  instructions text NOT NULL,
  -- shown to the payer; the transaction expires after the last bank day on which it can be paid
  expires_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (seller_id, transaction_id)
);

-- Payers are reminded of those that are due on a day.
CREATE INDEX boleto_payments_by_due_date ON boleto_payments (seller_id, due_date, transaction_id);

-- The card of a transaction: brand, last four digits, and the codes by which acquirers find the
-- payment. The number, holder and cvv are never stored.
-- citus: distributed
CREATE TABLE card_payments (
  seller_id uuid NOT NULL,
  transaction_id uuid NOT NULL,
  id uuid NOT NULL,
  brand text,
  last_four text NOT NULL,
  authorization_code text, -- of the issuer
  nsu text, -- of the acquirer
  created_at timestamptz NOT NULL,
  network_reference text, -- of the card network, which later payments of a subscription name
  PRIMARY KEY (seller_id, transaction_id)
);

-- A saved card. The id is the token; the cvv is not stored.
-- citus: distributed
CREATE TABLE card_tokens (
  seller_id uuid NOT NULL REFERENCES sellers (id),
  id uuid NOT NULL,
  customer_id uuid, -- whose card it is
  saved_by_payer boolean NOT NULL DEFAULT false, -- on a page, for one subscription
  encrypted_number text NOT NULL,
  brand text,
  last_four text NOT NULL,
  expiration_month smallint NOT NULL,
  expiration_year smallint NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (seller_id, id)
);
CREATE INDEX card_tokens_by_customer ON card_tokens (seller_id, customer_id, id)
  WHERE customer_id IS NOT NULL;
-- Cards are deleted a month after they expire.
CREATE INDEX card_tokens_by_expiry ON card_tokens (expiration_year, expiration_month);

-- A status of a transaction. position is the version that the change produced.
-- citus: distributed
CREATE TABLE transaction_history (
  seller_id uuid NOT NULL,
  transaction_id uuid NOT NULL,
  position integer NOT NULL,
  from_status text,
  to_status text NOT NULL,
  reason text,
  actor text NOT NULL, -- SELLER, PROVIDER, WORKER or OPERATOR
  at timestamptz NOT NULL,
  PRIMARY KEY (seller_id, transaction_id, position)
);

-- Transactions by method and status: the sum of count over writer. Each connection counts in rows of its
-- own, so no transaction waits for another. The worker compacts the rows into writer 0.
-- citus: distributed
CREATE TABLE transaction_counts (
  seller_id uuid NOT NULL,
  method text NOT NULL,
  status text NOT NULL,
  writer integer NOT NULL, -- process id of the connection
  count bigint NOT NULL, -- negative where other connections created what this one moved on
  PRIMARY KEY (seller_id, method, status, writer)
) WITH (fillfactor = 50); -- frequent updates stay on their page
-- Rows that the worker has to compact.
CREATE INDEX transaction_counts_to_compact ON transaction_counts (seller_id) WHERE writer <> 0;

-- The transactions of a seller that ended without payment (FAILED or REFUSED), by São Paulo day of creation.
-- The statement that changes transactions adds to it. Paid ones are in ledger_payment_totals.
-- citus: distributed
CREATE TABLE unpaid_totals (
  seller_id uuid NOT NULL,
  day date NOT NULL,
  method text NOT NULL CHECK (method IN ('PIX', 'BOLETO', 'CREDIT_CARD')),
  transactions bigint NOT NULL, -- count
  PRIMARY KEY (seller_id, day, method)
) WITH (fillfactor = 50); -- frequent updates stay on their page

-- An Idempotency-Key and the record it created, written in the same transaction as the record.
-- citus: distributed
CREATE TABLE idempotency_keys (
  seller_id uuid NOT NULL,
  operation text NOT NULL,
  key uuid NOT NULL,
  body_hash bytea NOT NULL, -- SHA-256 of the parsed body in canonical form
  record_id uuid NOT NULL,
  response json, -- stored where the response cannot be rendered from the record
  created_at timestamptz NOT NULL,
  PRIMARY KEY (seller_id, operation, key)
);
-- Erasure finds stored responses that may name a payer.
CREATE INDEX idempotency_responses_by_record ON idempotency_keys (seller_id, record_id)
  WHERE response IS NOT NULL;
CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at);

-- An event that a provider reported about a record, stored once for each provider event id. LATE,
-- DUPLICATE and WRONG_AMOUNT are payments that are not the seller's money and are reversed.
-- citus: distributed
CREATE TABLE provider_events (
  seller_id uuid NOT NULL,
  provider text NOT NULL,
  provider_event_id text NOT NULL, -- the provider's id; for Pix the end-to-end id
  kind text NOT NULL,
  record_id uuid NOT NULL,
  amount bigint, -- cents; null where no money moved
  occurred_at timestamptz NOT NULL,
  received_at timestamptz NOT NULL,
  outcome text NOT NULL CHECK (outcome IN ('APPLIED', 'LATE', 'DUPLICATE', 'WRONG_AMOUNT', 'REJECTED')),
  detail text,
  payer json, -- who paid a Pix, if the provider reports it: name, document and ISPB of the bank
  id uuid NOT NULL,
  PRIMARY KEY (seller_id, provider, provider_event_id)
);
-- The operator's list merges the providers, and skips events in the index, whatever its filter.
CREATE INDEX provider_events_by_provider ON provider_events (provider, id) INCLUDE (seller_id, outcome);
CREATE INDEX provider_events_by_record ON provider_events (seller_id, record_id);
-- What an operator reviews.
CREATE INDEX provider_events_to_review ON provider_events (id) WHERE outcome <> 'APPLIED';

-- A provider event that matches no record, or contradicts an event with the same id. It belongs to no
-- seller; the claimed ids are stored as received.
-- citus: local
CREATE TABLE unmatched_provider_events (
  provider text NOT NULL,
  provider_event_id text NOT NULL,
  kind text NOT NULL,
  claimed_seller text NOT NULL,
  claimed_record text NOT NULL,
  id uuid NOT NULL,
  amount bigint,
  occurred_at timestamptz NOT NULL,
  received_at timestamptz NOT NULL,
  detail text NOT NULL,
  PRIMARY KEY (id)
);
-- A repeated event is stored once. Events with one id that contradict each other are all stored.
CREATE UNIQUE INDEX unmatched_provider_events_once ON unmatched_provider_events
  (provider, provider_event_id, kind, claimed_seller, claimed_record, amount, detail) NULLS NOT DISTINCT;

-- A payment that a callback reported while its provider could not be asked for it. It is no money before
-- the provider confirms it. The worker asks until the provider answers, and deletes the row.
-- citus: local
CREATE TABLE unverified_payments (
  provider text NOT NULL,
  provider_event_id text NOT NULL, -- the provider's id; for Pix the end-to-end id
  id uuid NOT NULL,
  claimed_record text NOT NULL, -- our reference, as received; for Pix the txid
  amount bigint NOT NULL, -- cents, as received
  occurred_at timestamptz NOT NULL,
  received_at timestamptz NOT NULL,
  attempts integer NOT NULL,
  due_at timestamptz NOT NULL,
  lease_until timestamptz,
  leased_by uuid, -- the worker process
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (provider, provider_event_id)
);
CREATE INDEX unverified_payments_by_id ON unverified_payments (id);
CREATE INDEX unverified_payments_due ON unverified_payments (due_at);

-- An operation at a payment provider: create, cancel, capture, void or refund. Committed before the
-- call; the outcome is committed after it, so a crash in between leaves an operation whose outcome is
-- queried. OPEN: unknown; ACCEPTED: the provider reports the result later; DONE and REFUSED: final.
-- citus: distributed
CREATE TABLE provider_operations (
  seller_id uuid NOT NULL,
  -- our id at the provider, which executes it once: of CREATE the transaction, of REFUND the refund
  id uuid NOT NULL,
  transaction_id uuid NOT NULL,
  kind text NOT NULL CHECK (kind IN ('CREATE', 'CANCEL', 'CAPTURE', 'VOID', 'REFUND')),
  provider text NOT NULL,
  amount bigint NOT NULL CHECK (amount > 0),
  state text NOT NULL CHECK (state IN ('OPEN', 'ACCEPTED', 'DONE', 'REFUSED')),
  payment_reference text, -- the provider's id of the payment or authorization that the operation is about
  reference text, -- the provider's id of the operation
  detail text,
  attempts smallint NOT NULL DEFAULT 0,
  due_at timestamptz NOT NULL,
  lease_until timestamptz,
  leased_by uuid, -- the worker process, except for the call of a request
  capture boolean NOT NULL DEFAULT true, -- of CREATE: false for an authorization only
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (seller_id, id)
);
-- Providers name an operation by its id alone.
CREATE INDEX provider_operations_by_id ON provider_operations (id);
CREATE INDEX provider_operations_by_transaction ON provider_operations (seller_id, transaction_id);
CREATE INDEX provider_operations_due ON provider_operations (due_at) WHERE state = 'OPEN';

-- An installment of a payment that is retained until due_at. PENDING waits, RELEASED is available, HELD
-- belongs to a dispute, TAKEN went back to the payer.
-- citus: distributed
CREATE TABLE releases (
  seller_id uuid NOT NULL,
  transaction_id uuid NOT NULL,
  number smallint NOT NULL,
  amount bigint NOT NULL CHECK (amount >= 0), -- cents that remain
  status text NOT NULL CHECK (status IN ('PENDING', 'RELEASED', 'HELD', 'TAKEN')),
  due_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (seller_id, transaction_id, number)
);
CREATE INDEX releases_due ON releases (due_at) WHERE status = 'PENDING';
-- the sales behind the pending releases of a day
CREATE INDEX releases_by_day ON releases (seller_id, due_at, transaction_id, number) WHERE status = 'PENDING';

-- The pending releases of a seller by the São Paulo day on which they are due. The statement that
-- changes releases adds to it.
-- citus: distributed
CREATE TABLE release_totals (
  seller_id uuid NOT NULL,
  day date NOT NULL,
  origin text NOT NULL CHECK (origin IN ('PIX', 'BOLETO', 'CARD')),
  amount bigint NOT NULL, -- cents
  releases bigint NOT NULL, -- count
  PRIMARY KEY (seller_id, day, origin)
) WITH (fillfactor = 50); -- frequent updates stay on their page

-- A refund of a transaction, in whole or in part.
-- citus: distributed
CREATE TABLE refunds (
  seller_id uuid NOT NULL,
  id uuid NOT NULL,
  transaction_id uuid NOT NULL,
  amount bigint NOT NULL CHECK (amount > 0),
  reason text,
  created_by json NOT NULL, -- the user or API key, and the request
  -- PENDING until an external provider has decided
  status text NOT NULL DEFAULT 'DONE' CHECK (status IN ('PENDING', 'DONE', 'FAILED')),
  retained json, -- the retained parts it took, restored if it fails
  booked_at timestamptz, -- when its ledger entries were booked, by which reconciliation finds them
  created_at timestamptz NOT NULL,
  PRIMARY KEY (seller_id, id)
);
CREATE INDEX refunds_by_transaction ON refunds (seller_id, transaction_id);

-- A payer's claim to get the money back.
-- citus: distributed
CREATE TABLE disputes (
  seller_id uuid NOT NULL,
  id uuid NOT NULL,
  transaction_id uuid NOT NULL,
  status text NOT NULL CHECK (status IN ('OPEN', 'UNDER_REVIEW', 'REJECTED', 'RESOLVED')),
  amount bigint NOT NULL CHECK (amount > 0),
  reason text NOT NULL,
  created_by text NOT NULL,
  appeal_reason text,
  appealed_by json, -- the user or API key, and the request
  appeal_until timestamptz NOT NULL,
  resolved_at timestamptz,
  resolved_by text,
  provider text,
  provider_reference text, -- the provider's id of the dispute
  -- The recovery of values by MED. Two disputes of a transaction may belong to one.
  med_recovery_id text, -- the provider's
  med_type text CHECK (med_type IN (
    'SCAM', 'ACCOUNT_TAKEOVER', 'COERCION', 'FRAUDULENT_ACCESS', 'OTHER', 'UNKNOWN'
  )),
  med_status text CHECK (med_status IN (
    'CREATED', 'TRACKED', 'AWAITING_ANALYSIS', 'ANALYSED', 'REFUNDING', 'COMPLETED', 'CANCELLED'
  )),
  med_analysis_due_at timestamptz,
  med_refund_due_at timestamptz,
  med_monitor_account boolean,
  med_accepted_amount bigint CHECK (med_accepted_amount BETWEEN 0 AND amount), -- null before the analysis
  next_reminder_at timestamptz, -- of the deadline; null for none
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (seller_id, id),
  CHECK ((med_recovery_id IS NULL) = (med_status IS NULL))
);
CREATE INDEX disputes_to_remind ON disputes (next_reminder_at) WHERE next_reminder_at IS NOT NULL;
CREATE INDEX disputes_by_recovery ON disputes (seller_id, transaction_id) WHERE med_recovery_id IS NOT NULL;
-- A provider dispute is opened once.
CREATE UNIQUE INDEX disputes_by_provider ON disputes (seller_id, provider, provider_reference)
  WHERE provider_reference IS NOT NULL;
-- A dispute that its provider reported while its amount was refunded or being refunded. It opens if the
-- amount is free again, and is deleted when the transaction has ended.
-- citus: distributed
CREATE TABLE waiting_disputes (
  seller_id uuid NOT NULL,
  provider text NOT NULL,
  provider_reference text NOT NULL, -- the provider's id of the dispute
  transaction_id uuid NOT NULL,
  amount bigint NOT NULL CHECK (amount > 0),
  reason text NOT NULL,
  appeal_until timestamptz,
  outcome text CHECK (outcome IN ('REJECTED', 'RESOLVED')), -- what the provider reported since
  created_at timestamptz NOT NULL,
  PRIMARY KEY (seller_id, provider, provider_reference)
);
CREATE INDEX disputes_by_deadline ON disputes (seller_id, status, appeal_until, id);
CREATE INDEX disputes_to_close ON disputes (appeal_until) WHERE status = 'OPEN';
CREATE UNIQUE INDEX disputes_unresolved ON disputes (seller_id, transaction_id)
  WHERE status IN ('OPEN', 'UNDER_REVIEW');

-- A file with which a seller supports its side of a dispute. Deleted when the payer is erased.
-- citus: distributed
CREATE TABLE dispute_attachments (
  seller_id uuid NOT NULL,
  id uuid NOT NULL,
  dispute_id uuid NOT NULL,
  name text NOT NULL,
  type text NOT NULL CHECK (type IN ('application/pdf', 'image/png', 'image/jpeg')), -- that of its bytes
  size integer NOT NULL CHECK (size > 0), -- bytes
  encrypted_key text NOT NULL,
  content bytea NOT NULL, -- encrypted with that key
  created_by json NOT NULL, -- the user or API key, and the request
  created_at timestamptz NOT NULL,
  PRIMARY KEY (seller_id, id)
);
-- Encrypted bytes do not compress.
ALTER TABLE dispute_attachments ALTER COLUMN content SET STORAGE EXTERNAL;
CREATE INDEX dispute_attachments_by_dispute ON dispute_attachments (seller_id, dispute_id, id);

-- A message by which a seller adds to its appeal.
-- citus: distributed
CREATE TABLE dispute_messages (
  seller_id uuid NOT NULL,
  id uuid NOT NULL,
  dispute_id uuid NOT NULL,
  text text NOT NULL,
  created_by json NOT NULL, -- the user or API key, and the request
  created_at timestamptz NOT NULL,
  PRIMARY KEY (seller_id, id)
);
CREATE INDEX dispute_messages_by_dispute ON dispute_messages (seller_id, dispute_id, id);

-- A link by which anybody can pay a seller. The transaction that pays it counts in it.
-- citus: distributed
CREATE TABLE payment_links (
  seller_id uuid NOT NULL REFERENCES sellers (id),
  id uuid NOT NULL,
  code text NOT NULL, -- identifies it in its public address
  title text NOT NULL,
  description text,
  amount bigint CHECK (amount > 0), -- cents; null: the payer types it
  min_amount bigint,
  max_amount bigint,
  methods text[] NOT NULL,
  max_installments smallint NOT NULL,
  max_payments integer CHECK (max_payments > 0), -- null: no limit
  subscription json, -- interval and cycles of the subscription that a payment starts; null: none
  payments_count integer NOT NULL,
  paid_amount bigint NOT NULL, -- cents
  status text NOT NULL CHECK (status IN ('ACTIVE', 'INACTIVE', 'COMPLETED')),
  expires_at timestamptz,
  success_url text,
  customer_id uuid,
  external_ref text,
  metadata json,
  postback_url text,
  completed_at timestamptz, -- until the worker has canceled its unpaid transactions
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (seller_id, id)
);
CREATE INDEX payment_links_by_status ON payment_links (seller_id, status, id);
CREATE INDEX payment_links_by_customer ON payment_links (seller_id, customer_id, id)
  WHERE customer_id IS NOT NULL;
CREATE INDEX payment_links_completed ON payment_links (completed_at) WHERE completed_at IS NOT NULL;
-- As of transactions, above.
ALTER TABLE payment_links ALTER COLUMN seller_id SET STATISTICS 0;

-- The seller of each payment link. Not distributed: payers know the code alone.
-- citus: local
CREATE TABLE payment_link_codes (
  code text PRIMARY KEY,
  seller_id uuid NOT NULL,
  link_id uuid NOT NULL
);

-- An attempt to pay a payment link, by which addresses are limited. Deleted after an hour.
-- citus: distributed
CREATE TABLE checkout_attempts (
  seller_id uuid NOT NULL,
  id uuid NOT NULL,
  link_id uuid NOT NULL,
  address_mac text NOT NULL, -- keyed hash of the address of the payer, of IPv6 the /64
  transaction_id uuid, -- null until it is created
  declined boolean NOT NULL, -- of a card, true until it is accepted
  created_at timestamptz NOT NULL,
  PRIMARY KEY (seller_id, id)
);
CREATE INDEX checkout_attempts_by_address ON checkout_attempts (seller_id, link_id, address_mac, id);
CREATE INDEX checkout_attempts_declined_by_address ON checkout_attempts (address_mac, id) WHERE declined;
CREATE INDEX checkout_attempts_declined_by_link ON checkout_attempts (seller_id, link_id, id) WHERE declined;
CREATE INDEX checkout_attempts_by_age ON checkout_attempts (created_at);
