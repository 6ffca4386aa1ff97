-- The foundation: who takes part, what is charged, where the money is, and what is told about it.
--
-- Rules that every table of seller data follows:
--   * seller_id is the first column of every primary key, unique index and foreign key, and stands in every WHERE,
--     so that the same schema runs on one PostgreSQL and, sharded by seller, on several.
--   * No statement asks the database for the time: it is a parameter, read from the domain's clock.
--   * Money is an integer number of cents in a bigint.
--   * No triggers and no deferred constraints: what must hold together is written by one statement or transaction.
-- "Directory" tables (sellers, users, refresh_tokens, api_keys) are small and are looked up before a seller is known;
-- they alone have unique indexes without seller_id.

-- A shop, platform or person that takes payments through the gateway, with the limits the operator grants it.
CREATE TABLE sellers (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  document_type text NOT NULL CHECK (document_type IN ('CPF', 'CNPJ')),
  document text NOT NULL,
  status text NOT NULL CHECK (status IN ('PENDING', 'ACTIVE', 'SUSPENDED', 'CLOSED')),
  requests_per_minute integer NOT NULL,
  creations_per_minute integer NOT NULL,
  boleto_delay_days integer NOT NULL,
  card_delay_days integer NOT NULL,
  auto_approve_up_to bigint NOT NULL,
  negative_balance_up_to bigint NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);

-- What a seller pays for each operation now. A charge keeps the fee it was created with.
-- FIXED values are cents, PERCENTAGE values are hundredths of a percent; credit_card_values has one for each number of instalments, 1 to 12.
CREATE TABLE fee_schedules (
  seller_id uuid PRIMARY KEY REFERENCES sellers (id),
  pix_in_type text NOT NULL CHECK (pix_in_type IN ('FIXED', 'PERCENTAGE')),
  pix_in_value bigint NOT NULL,
  pix_out_type text NOT NULL CHECK (pix_out_type IN ('FIXED', 'PERCENTAGE')),
  pix_out_value bigint NOT NULL,
  boleto_type text NOT NULL CHECK (boleto_type IN ('FIXED', 'PERCENTAGE')),
  boleto_value bigint NOT NULL,
  credit_card_type text NOT NULL CHECK (credit_card_type IN ('FIXED', 'PERCENTAGE')),
  credit_card_values bigint[] NOT NULL CHECK (cardinality(credit_card_values) = 12),
  updated_at timestamptz NOT NULL
);

-- A person who signs in: of a seller (seller_id set) or of the operator (seller_id null).
-- token_generation is raised to make every access token issued before worthless at once.
CREATE TABLE users (
  id uuid PRIMARY KEY,
  seller_id uuid REFERENCES sellers (id),
  name text NOT NULL,
  email text NOT NULL UNIQUE,
  role text NOT NULL,
  password_hash text NOT NULL,
  token_generation integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  CHECK (CASE WHEN seller_id IS NULL THEN role IN ('ADMIN', 'SUPPORT') ELSE role IN ('OWNER', 'FINANCE', 'DEVELOPER', 'VIEWER') END)
);
CREATE INDEX users_by_seller ON users (seller_id);

-- A refresh token, kept as its SHA-256. Each use replaces it by the next of its family; a second use of the same one revokes the family.
CREATE TABLE refresh_tokens (
  token_hash bytea PRIMARY KEY,
  family_id uuid NOT NULL,
  user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  expires_at timestamptz NOT NULL,
  used_at timestamptz,
  created_at timestamptz NOT NULL
);
CREATE INDEX refresh_tokens_by_user ON refresh_tokens (user_id);
CREATE INDEX refresh_tokens_by_family ON refresh_tokens (family_id);

-- A seller's key to the API, kept as its SHA-256; prefix is what may be shown of it.
CREATE TABLE api_keys (
  seller_id uuid NOT NULL REFERENCES sellers (id),
  id uuid NOT NULL,
  name text NOT NULL,
  prefix text NOT NULL,
  role text NOT NULL CHECK (role IN ('OWNER', 'FINANCE', 'DEVELOPER', 'VIEWER')),
  key_hash bytea NOT NULL UNIQUE,
  created_at timestamptz NOT NULL,
  last_used_at timestamptz,
  PRIMARY KEY (seller_id, id)
);

-- One charge, as narrow as it can be: this row changes, what surrounds it does not. Each change raises version by one;
-- a change is written only where the version is still the one it was decided on.
CREATE TABLE transactions (
  seller_id uuid NOT NULL,
  id uuid NOT NULL,
  method text NOT NULL CHECK (method IN ('PIX', 'BOLETO', 'CREDIT_CARD')),
  status text NOT NULL CHECK (status IN ('PENDING', 'WAITING_PAYMENT', 'PROCESSING', 'AUTHORIZED', 'PAID', 'FAILED', 'REFUSED', 'REFUNDED', 'CHARGEDBACK', 'DISPUTE')),
  status_reason text,
  version integer NOT NULL,
  amount bigint NOT NULL CHECK (amount > 0),
  fee_amount bigint NOT NULL CHECK (fee_amount >= 0 AND fee_amount < amount),
  refunded_amount bigint NOT NULL CHECK (refunded_amount >= 0 AND refunded_amount <= amount),
  description text,
  metadata json, -- json and not jsonb: it is answered as it was sent, byte for byte
  postback_url text,
  expires_at timestamptz,
  paid_at timestamptz,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (seller_id, id)
) WITH (fillfactor = 90);
-- Public payer addresses and the operator know a charge by its id alone.
CREATE INDEX transactions_by_id ON transactions (id);
-- What the worker must expire, and nothing else: a settled charge leaves this index.
CREATE INDEX transactions_to_expire ON transactions (expires_at) WHERE status IN ('PENDING', 'WAITING_PAYMENT');

-- The payer of a charge as named at its creation; one row a charge, never shared, so that erasing a person touches one table.
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
  created_at timestamptz NOT NULL,
  PRIMARY KEY (seller_id, transaction_id)
);

-- What is sold by a charge, in the order it was sent. amount is the price of one, in cents.
CREATE TABLE transaction_items (
  seller_id uuid NOT NULL,
  transaction_id uuid NOT NULL,
  position smallint NOT NULL,
  id uuid NOT NULL,
  title text NOT NULL,
  amount bigint NOT NULL,
  quantity integer NOT NULL,
  tangible boolean NOT NULL,
  external_ref text,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (seller_id, transaction_id, position)
);

-- How a PIX charge is paid: its BR Code (copy and paste) and the address that the code names.
CREATE TABLE pix_payments (
  seller_id uuid NOT NULL,
  transaction_id uuid NOT NULL,
  id uuid NOT NULL,
  txid text NOT NULL,
  location text NOT NULL,
  code text NOT NULL,
  expires_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (seller_id, transaction_id)
);

-- Every status a charge has had. position is the version of the charge that the change made.
CREATE TABLE transaction_history (
  seller_id uuid NOT NULL,
  transaction_id uuid NOT NULL,
  position integer NOT NULL,
  from_status text,
  to_status text NOT NULL,
  reason text,
  actor text NOT NULL, -- who caused it: SELLER, PROVIDER, WORKER or OPERATOR
  at timestamptz NOT NULL,
  PRIMARY KEY (seller_id, transaction_id, position)
);

-- Which request made which record. Written with the record: after any crash either both exist or neither.
CREATE TABLE idempotency_keys (
  seller_id uuid NOT NULL,
  operation text NOT NULL,
  key uuid NOT NULL,
  body_hash bytea NOT NULL, -- SHA-256 of the parsed body in canonical form
  record_id uuid NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (seller_id, operation, key)
);
CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at);

-- What a provider told about a record, once by the provider's own id. outcome says what it changed:
-- APPLIED, LATE (money for a charge that had ended: it goes back to the payer) or REJECTED (it contradicts the record).
CREATE TABLE provider_events (
  seller_id uuid NOT NULL,
  provider text NOT NULL,
  provider_event_id text NOT NULL,
  kind text NOT NULL,
  record_id uuid NOT NULL,
  amount bigint,
  occurred_at timestamptz NOT NULL,
  received_at timestamptz NOT NULL,
  outcome text NOT NULL CHECK (outcome IN ('APPLIED', 'LATE', 'REJECTED')),
  detail text,
  PRIMARY KEY (seller_id, provider, provider_event_id)
);
-- The reports about one record, and what an operator has to look at.
CREATE INDEX provider_events_by_record ON provider_events (seller_id, record_id);
CREATE INDEX provider_events_to_review ON provider_events (received_at) WHERE outcome <> 'APPLIED';

-- The ledger. One row takes an amount from one account (debit) and gives it to another (credit), so it cannot be unbalanced.
-- Rows are never changed or deleted. Accounts of a seller: available, retained, disputed, reserved (what the wallet shows), and
-- fees (earned by the operator) and provider (money outside), which are only ever summed.
CREATE TABLE ledger_entries (
  seller_id uuid NOT NULL,
  id uuid NOT NULL,
  origin text NOT NULL CHECK (origin IN ('PIX', 'BOLETO', 'CARD')),
  debit text NOT NULL CHECK (debit IN ('available', 'retained', 'disputed', 'reserved', 'fees', 'provider')),
  credit text NOT NULL CHECK (credit IN ('available', 'retained', 'disputed', 'reserved', 'fees', 'provider')),
  amount bigint NOT NULL CHECK (amount > 0),
  cause text NOT NULL,
  record_id uuid NOT NULL,
  created_at timestamptz NOT NULL,
  CHECK (debit <> credit),
  PRIMARY KEY (seller_id, id)
);

-- A seller's money by the origin it came from: the sum of its entries, kept so that a balance can be read and guarded at once.
CREATE TABLE wallets (
  seller_id uuid NOT NULL REFERENCES sellers (id),
  origin text NOT NULL CHECK (origin IN ('PIX', 'BOLETO', 'CARD')),
  wallet_id uuid NOT NULL, -- the same for the three origins: sellers see one wallet
  available bigint NOT NULL,
  retained bigint NOT NULL CHECK (retained >= 0),
  disputed bigint NOT NULL CHECK (disputed >= 0),
  reserved bigint NOT NULL CHECK (reserved >= 0),
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (seller_id, origin)
) WITH (fillfactor = 50); -- changed for every payment: room on the page keeps the changes away from the index

-- An address of a seller that wants to be told of status changes. The signing secret is sealed with ENCRYPTION_KEY.
CREATE TABLE webhooks (
  seller_id uuid NOT NULL REFERENCES sellers (id),
  id uuid NOT NULL,
  url text NOT NULL,
  event_type text NOT NULL CHECK (event_type IN ('TRANSACTION', 'WITHDRAWAL', 'DISPUTE', 'ALL')),
  description text,
  encrypted_secret text NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (seller_id, id)
);

-- The secret that signs what is sent to the postbackUrl of a charge; made when it is first needed.
CREATE TABLE postback_secrets (
  seller_id uuid PRIMARY KEY REFERENCES sellers (id),
  encrypted_secret text NOT NULL,
  created_at timestamptz NOT NULL
);

-- What happened, as it is told to the seller. Written with the change it tells of. payload is the body sent, byte for byte.
CREATE TABLE events (
  seller_id uuid NOT NULL,
  id uuid NOT NULL,
  type text NOT NULL,
  record_id uuid NOT NULL,
  payload text NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (seller_id, id)
);

-- One event on its way to one address. webhook_id is null for a postbackUrl. endpoint tells addresses apart when calls are rationed.
CREATE TABLE deliveries (
  seller_id uuid NOT NULL,
  id uuid NOT NULL,
  event_id uuid NOT NULL,
  webhook_id uuid,
  endpoint text NOT NULL,
  url text NOT NULL,
  status text NOT NULL CHECK (status IN ('PENDING', 'DELIVERED', 'FAILED')),
  attempts smallint NOT NULL,
  due_at timestamptz NOT NULL,
  lease_until timestamptz,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (seller_id, id)
);
CREATE INDEX deliveries_due ON deliveries (due_at) WHERE status = 'PENDING';

-- One call of a receiver and how it answered.
CREATE TABLE delivery_attempts (
  seller_id uuid NOT NULL,
  delivery_id uuid NOT NULL,
  number smallint NOT NULL,
  at timestamptz NOT NULL,
  latency_ms integer NOT NULL,
  status_code integer,
  response_body text,
  error text,
  PRIMARY KEY (seller_id, delivery_id, number)
);

-- How far the sandbox has moved the domain's clock ahead of the machine's. One row; it never goes back.
CREATE TABLE domain_clock (
  id boolean PRIMARY KEY DEFAULT true CHECK (id),
  offset_ms bigint NOT NULL
);
INSERT INTO domain_clock (offset_ms) VALUES (0);
