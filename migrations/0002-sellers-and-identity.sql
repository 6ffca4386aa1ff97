-- Sellers and their fees, users, sessions, API keys, and the audit log.

-- A merchant that takes payments through the gateway, with the limits the operator grants.
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
  auto_approve_up_to bigint NOT NULL, -- cents
  negative_balance_up_to bigint NOT NULL, -- cents
  chargeback_fee bigint NOT NULL DEFAULT 0 CHECK (chargeback_fee >= 0), -- cents
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);

-- The current fees of a seller. A transaction keeps the fee of its creation. FIXED values are cents,
-- PERCENTAGE values are basis points.
CREATE TABLE fee_schedules (
  seller_id uuid PRIMARY KEY REFERENCES sellers (id),
  pix_in_type text NOT NULL CHECK (pix_in_type IN ('FIXED', 'PERCENTAGE')),
  pix_in_value bigint NOT NULL,
  pix_out_type text NOT NULL CHECK (pix_out_type IN ('FIXED', 'PERCENTAGE')),
  pix_out_value bigint NOT NULL,
  boleto_type text NOT NULL CHECK (boleto_type IN ('FIXED', 'PERCENTAGE')),
  boleto_value bigint NOT NULL,
  credit_card_type text NOT NULL CHECK (credit_card_type IN ('FIXED', 'PERCENTAGE')),
  -- one value for each number of installments, 1 to 12
  credit_card_values bigint[] NOT NULL CHECK (cardinality(credit_card_values) = 12),
  updated_at timestamptz NOT NULL
);

-- Settings of the operator that apply to all sellers. One row.
CREATE TABLE operator_settings (
  id boolean PRIMARY KEY DEFAULT true CHECK (id),
  -- cents; null: one ADMIN approves any withdrawal
  two_person_approval_above bigint CHECK (two_person_approval_above >= 0)
);
INSERT INTO operator_settings DEFAULT VALUES;

-- A person who signs in: a member of a seller's team, or of the operator where seller_id is null.
CREATE TABLE users (
  id uuid PRIMARY KEY,
  seller_id uuid REFERENCES sellers (id),
  name text NOT NULL,
  email text NOT NULL UNIQUE,
  role text NOT NULL,
  password_hash text NOT NULL,
  token_generation integer NOT NULL DEFAULT 0, -- raising it revokes every access token issued before
  demo boolean NOT NULL DEFAULT false, -- created by the start of the sandbox; cannot sign in outside it
  created_by uuid, -- operator's user; null for the first one, recovered ones and those of sellers' teams
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  CHECK (CASE WHEN seller_id IS NULL THEN role IN ('ADMIN', 'SUPPORT')
    ELSE role IN ('OWNER', 'FINANCE', 'DEVELOPER', 'VIEWER') END)
);
CREATE INDEX users_by_seller ON users (seller_id, id);

-- A sign-in, and the family of its refresh tokens. Access tokens name their session and are void without
-- it.
CREATE TABLE sessions (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  -- COOKIE: the refresh token lives in a browser cookie; BODY: the client stores it
  transport text NOT NULL CHECK (transport IN ('BODY', 'COOKIE')),
  browser text, -- of the last use
  masked_address text, -- of the last use
  last_used_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL
);
CREATE INDEX sessions_by_user ON sessions (user_id, id);

-- A refresh token, stored as its SHA-256. Each use replaces it by the next token of its family; reuse
-- revokes the family.
CREATE TABLE refresh_tokens (
  token_hash bytea PRIMARY KEY,
  family_id uuid NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  expires_at timestamptz NOT NULL,
  used_at timestamptz,
  created_at timestamptz NOT NULL
);
CREATE INDEX refresh_tokens_by_family ON refresh_tokens (family_id);
CREATE INDEX refresh_tokens_by_user ON refresh_tokens (user_id);

-- A request of an ADMIN that a second one must approve. It is executed in the transaction of the approval.
CREATE TABLE operator_approvals (
  id uuid PRIMARY KEY,
  action text NOT NULL,
  seller_id uuid, -- null where the request concerns no seller
  summary json NOT NULL, -- members that the approver sees; no secret
  encrypted_request text NOT NULL, -- the whole request; passwords are hashed
  status text NOT NULL CHECK (status IN ('PENDING', 'APPROVED', 'REJECTED')),
  requested_by uuid NOT NULL, -- no foreign key: a request outlives its user
  requester_name text NOT NULL,
  decided_by uuid,
  reason text, -- why it was rejected
  expires_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL,
  decided_at timestamptz,
  CHECK ((status = 'PENDING') = (decided_at IS NULL))
);

-- The TOTP secret of a user (RFC 6238). It is inactive until confirmed_at is set.
CREATE TABLE second_factors (
  user_id uuid PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  encrypted_secret text NOT NULL,
  confirmed_at timestamptz,
  last_step bigint, -- time step of the last accepted code; codes of this step or earlier are refused
  created_at timestamptz NOT NULL
);

-- A one-time replacement for a TOTP code, stored as its SHA-256.
CREATE TABLE recovery_codes (
  user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  code_hash bytea NOT NULL,
  used_at timestamptz,
  PRIMARY KEY (user_id, code_hash)
);

-- An API key of a seller, stored as its SHA-256.
CREATE TABLE api_keys (
  seller_id uuid NOT NULL REFERENCES sellers (id),
  id uuid NOT NULL,
  name text NOT NULL,
  prefix text NOT NULL, -- the part that lists show
  role text NOT NULL CHECK (role IN ('OWNER', 'FINANCE', 'DEVELOPER', 'VIEWER')),
  key_hash bytea NOT NULL UNIQUE,
  creator_id uuid, -- user, who may be deleted later; null for the gateway
  creator_name text, -- at the time of the creation
  last_used_at timestamptz,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (seller_id, id)
);

-- A change by an operator or a seller: who changed what, when and how, written in the transaction of the
-- change. Also sign-ins, refusals, and reads of personal data by the operator. Rows are never updated or deleted, and never hold a secret. Ids begin with the time, so the
-- primary key is also the newest-first order.
CREATE TABLE audit_log (
  id uuid PRIMARY KEY,
  at timestamptz NOT NULL,
  actor_kind text NOT NULL CHECK (
    actor_kind IN ('OPERATOR_USER', 'SELLER_USER', 'API_KEY', 'GATEWAY', 'ANONYMOUS')
  ),
  actor_id uuid, -- user or API key, which may be deleted later; null for GATEWAY and ANONYMOUS
  actor_name text, -- at the time of the change, like the role
  actor_role text,
  actor_key_prefix text, -- the first characters of an API key
  action text NOT NULL,
  record_type text NOT NULL,
  record_id text, -- null where only one such record exists
  seller_id uuid,
  before json, -- changed members; null for a creation
  after json, -- changed members; null for a deletion
  request_id text,
  CHECK ((actor_kind IN ('GATEWAY', 'ANONYMOUS')) = (actor_id IS NULL))
);
CREATE INDEX audit_log_by_action ON audit_log (action, id);
CREATE INDEX audit_log_by_actor ON audit_log (actor_id, id);
CREATE INDEX audit_log_by_record ON audit_log (record_id, id);
CREATE INDEX audit_log_by_seller ON audit_log (seller_id, id);
CREATE INDEX audit_log_by_request ON audit_log (request_id, id);
-- Prevents accidents of a program that runs as the owner. The owner can grant the rights again;
-- superusers bypass it.
REVOKE UPDATE, DELETE, TRUNCATE ON audit_log FROM CURRENT_USER;
