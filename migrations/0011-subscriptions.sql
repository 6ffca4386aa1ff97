-- Subscriptions: recurring charges, and their authorizations by Pix Automático.

-- Charges a customer at an interval. Every change raises version by one and applies only to the version
-- it was decided on.
-- citus: distributed
CREATE TABLE subscriptions (
  seller_id uuid NOT NULL REFERENCES sellers (id),
  id uuid NOT NULL,
  method text NOT NULL CHECK (method IN ('PIX_AUTOMATICO', 'CREDIT_CARD', 'BOLETO', 'PIX')),
  status text NOT NULL CHECK (status IN (
    'PENDING', 'ACTIVE', 'PAST_DUE', 'PAUSED', 'CANCELLED', 'COMPLETED', 'REJECTED', 'EXPIRED'
  )),
  version integer NOT NULL,
  amount bigint NOT NULL CHECK (amount > 0), -- cents of each cycle from the next one on
  amount_type text NOT NULL CHECK (amount_type IN ('FIXED', 'VARIABLE')),
  minimum_amount bigint, -- the least limit that a payer may set for a VARIABLE authorization
  charge_interval text NOT NULL CHECK (charge_interval IN (
    'WEEKLY', 'MONTHLY', 'QUARTERLY', 'SEMIANNUAL', 'YEARLY'
  )),
  start_date date NOT NULL,
  cycles integer CHECK (cycles > 0), -- null: no end
  retry_policy text NOT NULL CHECK (retry_policy IN ('NONE', 'THREE_IN_SEVEN_DAYS')),
  on_unpaid text NOT NULL CHECK (on_unpaid IN ('PAUSE', 'CANCEL', 'CONTINUE')),
  description text,
  customer_id uuid, -- a record of the seller, read when a cycle is charged
  customer json, -- the payer as given at the creation, without such a record
  card_token_id uuid,
  network_reference text, -- of the card's first payment; null until it is paid
  external_ref text,
  metadata json,
  postback_url text,
  payer_secret uuid NOT NULL, -- opens its payer's page
  next_cycle integer NOT NULL, -- intervals between start_date and the next cycle
  charged_cycles integer NOT NULL, -- cycles that count against cycles
  invoices integer NOT NULL, -- the number of the newest one
  due_at timestamptz, -- when the worker has the next thing to do; null: not by time
  card_check_at timestamptz, -- when the card is checked before the next cycle; null: not planned
  card_checked_cycle integer NOT NULL, -- the cycle that it was checked for
  next_outcome text CHECK (next_outcome IN ('PAID', 'INSUFFICIENT_FUNDS', 'CARD_EXPIRED')), -- in the sandbox
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (seller_id, id)
) WITH (fillfactor = 90); -- frequent updates stay on their page
-- Its payer's page knows it by its id.
CREATE INDEX subscriptions_by_id ON subscriptions (id);
CREATE INDEX subscriptions_by_status ON subscriptions (seller_id, status, id);
CREATE INDEX subscriptions_by_customer ON subscriptions (seller_id, customer_id, id)
  WHERE customer_id IS NOT NULL;
-- An erasure finds payers without a customer record.
CREATE INDEX subscriptions_by_payer_document ON subscriptions ((customer ->> 'document'))
  WHERE customer IS NOT NULL;
CREATE INDEX subscriptions_by_payer_email ON subscriptions (lower(customer ->> 'email'))
  WHERE customer IS NOT NULL;
-- Due work, seller by seller, so that one with many due subscriptions delays no other.
CREATE INDEX subscriptions_due ON subscriptions (seller_id, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX subscriptions_to_check ON subscriptions (card_check_at) WHERE card_check_at IS NOT NULL;
-- As of transactions.
ALTER TABLE subscriptions ALTER COLUMN seller_id SET STATISTICS 0;

-- What a cycle costs. The primary key, and the version of the subscription, allow one for each cycle.
-- citus: distributed
CREATE TABLE subscription_invoices (
  seller_id uuid NOT NULL,
  subscription_id uuid NOT NULL,
  number integer NOT NULL, -- from 1, without gaps
  id uuid NOT NULL,
  due_date date NOT NULL,
  amount bigint NOT NULL CHECK (amount > 0),
  -- SCHEDULED: Pix Automático, before its date
  status text NOT NULL CHECK (status IN ('SCHEDULED', 'PENDING', 'PAID', 'FAILED', 'CANCELLED')),
  attempts smallint NOT NULL,
  retries_left smallint NOT NULL, -- by the policy of the subscription
  retry_at timestamptz, -- when the next attempt is made; null: none is planned
  retry_date date, -- the day that it counts on
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (seller_id, subscription_id, number)
) WITH (fillfactor = 80);
CREATE INDEX subscription_invoices_to_retry ON subscription_invoices (retry_at) WHERE retry_at IS NOT NULL;
-- What is unpaid of a subscription.
CREATE INDEX subscription_invoices_open ON subscription_invoices (seller_id, subscription_id, number)
  WHERE status IN ('SCHEDULED', 'PENDING');
ALTER TABLE subscription_invoices ALTER COLUMN seller_id SET STATISTICS 0;

-- An attempt to have an invoice paid: a transaction, or a retry of one at the payer's bank. It is inserted
-- before its transaction is created, whose idempotency key is its id. DUE: the call is to be made; SENT: its
-- outcome is open; CANCELING: the charge is to be canceled.
-- citus: distributed
CREATE TABLE subscription_attempts (
  seller_id uuid NOT NULL,
  id uuid NOT NULL,
  subscription_id uuid NOT NULL,
  invoice_number integer NOT NULL,
  number smallint NOT NULL,
  -- CHARGE; RETRY: of the same transaction by Pix Automático; IMMEDIATE and DATED: a Pix that the payer pays
  -- while authorizing Pix Automático (journeys 3 and 4)
  kind text NOT NULL CHECK (kind IN ('CHARGE', 'RETRY', 'IMMEDIATE', 'DATED')),
  -- The id, or of a RETRY that of the first attempt. A CHARGE that waited gets a new one with its first call,
  -- because ids of transactions begin with the time of their creation.
  transaction_id uuid NOT NULL,
  charge_date date NOT NULL,
  state text NOT NULL CHECK (state IN ('DUE', 'SENT', 'PAID', 'FAILED', 'CANCELING', 'CANCELED')),
  reason text, -- why it failed
  attempts smallint NOT NULL, -- calls without an outcome
  calls integer NOT NULL DEFAULT 0, -- leases whose call may have created the transaction
  due_at timestamptz NOT NULL,
  lease_until timestamptz,
  leased_by uuid, -- the worker process
  read_at timestamptz, -- when the bank that collects it is asked for the outcome
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (seller_id, id)
) WITH (fillfactor = 70);
CREATE INDEX subscription_attempts_to_read ON subscription_attempts (read_at) WHERE read_at IS NOT NULL;
CREATE UNIQUE INDEX subscription_attempts_by_invoice
  ON subscription_attempts (seller_id, subscription_id, invoice_number, number);
CREATE INDEX subscription_attempts_by_transaction ON subscription_attempts (seller_id, transaction_id);
CREATE INDEX subscription_attempts_due ON subscription_attempts (due_at) WHERE state IN ('DUE', 'CANCELING');
-- How many calls of a seller are to be made.
CREATE INDEX subscription_attempts_due_by_seller ON subscription_attempts (seller_id) WHERE state = 'DUE';
ALTER TABLE subscription_attempts ALTER COLUMN seller_id SET STATISTICS 0;

-- A payer's authorization of a subscription by Pix Automático (a recurrence of the Central Bank's Pix API).
-- citus: distributed
CREATE TABLE pix_authorizations (
  seller_id uuid NOT NULL,
  subscription_id uuid NOT NULL,
  provider text NOT NULL,
  journey smallint NOT NULL CHECK (journey BETWEEN 1 AND 4),
  id_rec text, -- the bank's id; null until the bank has created it
  status text NOT NULL CHECK (status IN ('CRIADA', 'APROVADA', 'REJEITADA', 'EXPIRADA', 'CANCELADA')),
  code text, -- BR Code, except of journey 1
  payer_account json, -- whom journey 1 asks: ispb, branch, account; null once the payer has answered
  first_transaction_id uuid, -- of journeys 3 and 4
  action text CHECK (action IN ('CREATE', 'READ', 'CANCEL')), -- the call to be made; null: none
  attempts smallint NOT NULL,
  due_at timestamptz NOT NULL,
  lease_until timestamptz,
  leased_by uuid, -- the worker process
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (seller_id, subscription_id)
);
CREATE INDEX pix_authorizations_due ON pix_authorizations (due_at) WHERE action IS NOT NULL;
-- The bank knows it by that id alone.
CREATE INDEX pix_authorizations_by_rec ON pix_authorizations (id_rec) WHERE id_rec IS NOT NULL;

-- What changed in a month (of São Paulo) in the recurring revenue of a seller. The sums over all months are
-- the current totals: a few rows a year, however many subscriptions.
-- citus: distributed
CREATE TABLE subscription_months (
  seller_id uuid NOT NULL,
  month date NOT NULL, -- its first day
  revenue bigint NOT NULL, -- cents a month that charging subscriptions were worth more, or less
  subscriptions integer NOT NULL, -- charging ones more, or fewer
  ended integer NOT NULL, -- charging or paused ones that were canceled
  recovered integer NOT NULL, -- invoices paid after an attempt had failed
  recovered_amount bigint NOT NULL, -- cents
  PRIMARY KEY (seller_id, month)
);

-- A transaction of a subscription whose status has changed, written by the statement that changes it and
-- deleted when the subscription knows of it.
-- citus: distributed
CREATE TABLE subscription_outcomes (
  seller_id uuid NOT NULL,
  transaction_id uuid NOT NULL,
  changed_at timestamptz NOT NULL,
  PRIMARY KEY (seller_id, transaction_id)
);
CREATE INDEX subscription_outcomes_by_time ON subscription_outcomes (changed_at);
