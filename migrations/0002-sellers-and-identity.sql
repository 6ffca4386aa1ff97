-- Sellers and their fees, users, sessions, API keys, and the audit log.

-- A merchant that takes payments through the gateway, with the limits the operator grants.
-- citus: reference
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
  activated_at timestamptz, -- when it became ACTIVE last; null since its creation
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);
-- Documents of closed sellers are deleted when the law allows.
CREATE INDEX sellers_closed ON sellers (updated_at) WHERE status = 'CLOSED';

-- What a seller chooses for what payers see. No row: the defaults.
-- citus: distributed
CREATE TABLE seller_settings (
  seller_id uuid PRIMARY KEY REFERENCES sellers (id),
  display_name text, -- null: the name of the seller
  logo_url text,
  payer_emails boolean NOT NULL, -- whether payers receive receipts and reminders
  embed_origins text[] NOT NULL, -- the origins that may embed the payment page
  reminded_day date, -- payers have been reminded of boletos that are due until this day
  reminded_after uuid, -- and of those of the next such day up to this transaction
  updated_at timestamptz NOT NULL
);
CREATE INDEX seller_settings_to_remind ON seller_settings (seller_id) WHERE payer_emails;

-- The current fees of a seller. A transaction keeps the fee of its creation. FIXED values are cents,
-- PERCENTAGE values are basis points. A fee is its value and the fixed part, but at least the minimum, both
-- in cents. It is cached with the seller, and read without a worker node.
-- citus: local
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
  updated_at timestamptz NOT NULL,
  pix_in_fixed_part bigint NOT NULL DEFAULT 0,
  pix_in_minimum bigint NOT NULL DEFAULT 0,
  pix_out_fixed_part bigint NOT NULL DEFAULT 0,
  pix_out_minimum bigint NOT NULL DEFAULT 0,
  boleto_fixed_part bigint NOT NULL DEFAULT 0,
  boleto_minimum bigint NOT NULL DEFAULT 0,
  credit_card_fixed_part bigint NOT NULL DEFAULT 0,
  credit_card_minimum bigint NOT NULL DEFAULT 0
);

-- Settings of the operator that apply to all sellers. One row.
-- citus: reference
CREATE TABLE operator_settings (
  id boolean PRIMARY KEY DEFAULT true CHECK (id),
  -- cents; null: one ADMIN approves any withdrawal
  two_person_approval_above bigint CHECK (two_person_approval_above >= 0),
  -- how many days a seller has to contest a MED dispute
  med_window_days integer NOT NULL DEFAULT 3 CHECK (med_window_days BETWEEN 1 AND 7),
  default_fees json -- of new sellers, as the API shows them; null: the built-in ones
);
INSERT INTO operator_settings DEFAULT VALUES;

-- A person who signs in: a member of a seller's team, or of the operator where seller_id is null.
-- citus: local
CREATE TABLE users (
  id uuid PRIMARY KEY,
  seller_id uuid REFERENCES sellers (id),
  name text NOT NULL,
  email text NOT NULL UNIQUE,
  role text NOT NULL,
  password_hash text NOT NULL,
  token_generation integer NOT NULL DEFAULT 0, -- raising it revokes every access token issued before
  locale text NOT NULL DEFAULT 'pt-BR' CHECK (locale IN ('pt-BR', 'en')), -- of mails
  demo boolean NOT NULL DEFAULT false, -- created by the start of the sandbox; cannot sign in outside it
  created_by uuid, -- operator's user; null for the first one, recovered ones and those of sellers' teams
  second_factor_reset_due_at timestamptz, -- when the worker removes the second factors; null for never
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  CHECK (CASE WHEN seller_id IS NULL THEN role IN ('ADMIN', 'SUPPORT')
    ELSE role IN ('OWNER', 'FINANCE', 'DEVELOPER', 'VIEWER') END)
);
CREATE INDEX users_by_seller ON users (seller_id, id);
CREATE INDEX users_with_due_reset ON users (second_factor_reset_due_at)
  WHERE second_factor_reset_due_at IS NOT NULL;

-- An invitation that was mailed to a new user. Its id becomes that of the user. Deleted when it is accepted.
-- citus: local
CREATE TABLE invitations (
  id uuid PRIMARY KEY,
  seller_id uuid REFERENCES sellers (id), -- null for the operator
  name text NOT NULL, -- empty until the user states it
  email text NOT NULL,
  role text NOT NULL,
  locale text NOT NULL,
  token_hash bytea NOT NULL UNIQUE, -- SHA-256
  created_by uuid, -- user, who may be deleted later; null for the gateway
  creator_name text, -- at the time of the invitation
  expires_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL
);
CREATE INDEX invitations_by_seller ON invitations (seller_id, id);
-- An address has one invitation to a team, which a further one replaces.
CREATE UNIQUE INDEX invitations_by_email ON invitations (seller_id, email) NULLS NOT DISTINCT;
CREATE INDEX invitations_expiring ON invitations (expires_at);

-- A request for a new password, by an email that may belong to nobody. The worker looks it up, so that the
-- response reveals nothing.
-- citus: local
CREATE TABLE password_reset_requests (
  id uuid PRIMARY KEY,
  email text NOT NULL,
  locale text NOT NULL,
  created_at timestamptz NOT NULL
);

-- The token of a mailed link with which a user sets a new password, stored as its SHA-256.
-- citus: local
CREATE TABLE password_resets (
  token_hash bytea PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  expires_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL
);
CREATE INDEX password_resets_by_user ON password_resets (user_id);
CREATE INDEX password_resets_expiring ON password_resets (expires_at);

-- A sign-in, and the family of its refresh tokens. Access tokens name their session and are void without
-- it.
-- citus: local
CREATE TABLE sessions (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  -- COOKIE: the refresh token lives in a browser cookie; BODY: the client stores it
  transport text NOT NULL CHECK (transport IN ('BODY', 'COOKIE')),
  browser text, -- of the last use
  masked_address text, -- of the last use
  last_used_at timestamptz NOT NULL,
  verified_at timestamptz NOT NULL, -- the sign-in, or the last password, code or passkey after it
  expires_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL
);
CREATE INDEX sessions_by_user ON sessions (user_id, id);

-- A client that a user has signed in with, as it describes itself. Users are notified of a new one. Deleted
-- half a year after its last sign-in.
-- citus: local
CREATE TABLE devices (
  user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  browser text NOT NULL, -- empty if it does not say
  masked_address text NOT NULL,
  first_seen_at timestamptz NOT NULL,
  last_seen_at timestamptz NOT NULL,
  PRIMARY KEY (user_id, browser, masked_address)
);
CREATE INDEX devices_by_last_use ON devices (last_seen_at);

-- A refresh token, stored as its SHA-256. Each use replaces it by the next token of its family; reuse
-- revokes the family.
-- citus: local
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
-- citus: local
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
-- citus: local
CREATE TABLE second_factors (
  user_id uuid PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  encrypted_secret text NOT NULL,
  confirmed_at timestamptz,
  last_step bigint, -- time step of the last accepted code; codes of this step or earlier are refused
  created_at timestamptz NOT NULL
);

-- A one-time replacement for a TOTP code, stored as its SHA-256.
-- citus: local
CREATE TABLE recovery_codes (
  user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  code_hash bytea NOT NULL,
  used_at timestamptz,
  PRIMARY KEY (user_id, code_hash)
);

-- A passkey of a user (WebAuthn). It signs in alone, or as the second factor after the password.
-- citus: local
CREATE TABLE passkeys (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  name text NOT NULL,
  credential_id bytea NOT NULL UNIQUE,
  public_key bytea NOT NULL, -- in COSE
  sign_count bigint NOT NULL, -- 0 for authenticators that do not count
  transports text[] NOT NULL, -- as the browser reported them
  backup_eligible boolean NOT NULL, -- it can be synchronized between devices
  backed_up boolean NOT NULL, -- it is, as of its last use
  last_used_at timestamptz,
  created_at timestamptz NOT NULL
);
CREATE INDEX passkeys_by_user ON passkeys (user_id, id);

-- A signed WebAuthn challenge that was used. Each is accepted once.
-- citus: local
CREATE TABLE used_passkey_challenges (
  id uuid PRIMARY KEY,
  expires_at timestamptz NOT NULL
);
CREATE INDEX used_passkey_challenges_expiring ON used_passkey_challenges (expires_at);

-- An API key of a seller, stored as its SHA-256.
-- citus: local
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
-- change. Also sign-ins, refusals, and reads of personal data by the operator. Rows are never updated or
-- deleted, and never hold a secret. Ids begin with the time, so the primary key is also the newest-first
-- order.
-- citus: local
CREATE TABLE audit_log (
  id uuid PRIMARY KEY,
  at timestamptz NOT NULL,
  actor_kind text NOT NULL CHECK (
    actor_kind IN ('OPERATOR_USER', 'SELLER_USER', 'API_KEY', 'GATEWAY', 'ANONYMOUS', 'PAYER')
  ),
  actor_id uuid, -- user or API key, which may be deleted later; null for GATEWAY, ANONYMOUS and PAYER
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
  CHECK ((actor_kind IN ('GATEWAY', 'ANONYMOUS', 'PAYER')) = (actor_id IS NULL))
);
CREATE INDEX audit_log_by_action ON audit_log (action, id);
CREATE INDEX audit_log_by_actor ON audit_log (actor_id, id);
CREATE INDEX audit_log_by_record ON audit_log (record_id, id);
CREATE INDEX audit_log_by_seller ON audit_log (seller_id, id);
CREATE INDEX audit_log_by_request ON audit_log (request_id, id);
-- Prevents accidents of a program that runs as the owner. The owner can grant the rights again;
-- superusers bypass it.
REVOKE UPDATE, DELETE, TRUNCATE ON audit_log FROM CURRENT_USER;
