-- Withdrawals, payouts and payment reversals.

-- A withdrawal of a seller. amount leaves the balance, amount minus fee_amount reaches the payee. It
-- changes by version, as transactions do. The payee is stored encrypted for the payout and masked for
-- reads.
-- citus: distributed
CREATE TABLE withdrawals (
  seller_id uuid NOT NULL,
  id uuid NOT NULL,
  method text NOT NULL CHECK (method IN ('PIX', 'CRYPTO', 'TED')),
  status text NOT NULL CHECK (status IN (
    'PENDING', 'APPROVED', 'REJECTED', 'PROCESSING', 'PAID', 'FAILED'
  )),
  rejection_reason text, -- why it is REJECTED or FAILED
  version integer NOT NULL,
  origin text NOT NULL CHECK (origin IN ('PIX', 'BOLETO', 'CARD')), -- the balance that pays
  withdrawal_type text NOT NULL CHECK (withdrawal_type = 'MANUAL'),
  amount bigint NOT NULL CHECK (amount > 0),
  fee_amount bigint NOT NULL CHECK (fee_amount >= 0 AND fee_amount < amount),
  rolling_amount bigint NOT NULL, -- of the seller's withdrawals of the 24 hours up to this one
  pix_key_type text CHECK (pix_key_type IN ('CPF', 'CNPJ', 'PHONE', 'EMAIL', 'EVP')),
  crypto_network text CHECK (crypto_network IN ('TRC20', 'ERC20', 'POLYGON', 'BTC')),
  masked_destination text NOT NULL,
  encrypted_payee text NOT NULL,
  beneficiary_name text,
  beneficiary_document_type text CHECK (beneficiary_document_type IN ('CPF', 'CNPJ')),
  masked_beneficiary_document text,
  -- the holder of the account, as the provider tells it
  holder_name text,
  holder_document_type text CHECK (holder_document_type IN ('CPF', 'CNPJ')),
  masked_holder_document text,
  is_other_holder boolean, -- whether that is not the seller; null if unknown
  -- whether no earlier withdrawal of the seller had this destination
  is_first_use boolean NOT NULL DEFAULT false,
  -- keyed hashes of the payee's account and document, to look it up by
  payee_hashes text[] NOT NULL DEFAULT '{}',
  description text,
  metadata json, -- json, not jsonb: returned as it was sent
  created_by json NOT NULL, -- the user or API key, and the request
  approved_by uuid, -- operator's user; null for an automatic approval
  provider text, -- that pays it
  approved_at timestamptz,
  processed_at timestamptz, -- when it was submitted to the provider
  paid_at timestamptz,
  approvals_needed smallint, -- at the time of approval; 0 for an automatic one
  bank_code text,
  bank_branch text,
  bank_account_type text CHECK (bank_account_type IN ('CHECKING', 'SAVINGS')),
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  CHECK ((method = 'PIX') = (pix_key_type IS NOT NULL)),
  CHECK ((method = 'CRYPTO') = (crypto_network IS NOT NULL)),
  CONSTRAINT withdrawals_to_account CHECK (
    (method = 'TED') = (bank_code IS NOT NULL) AND (method = 'TED') = (bank_branch IS NOT NULL)
    AND (method = 'TED') = (bank_account_type IS NOT NULL)),
  PRIMARY KEY (seller_id, id)
) WITH (fillfactor = 80); -- frequent updates stay on their page
-- The operator lists the withdrawals of all sellers by id.
CREATE INDEX withdrawals_by_id ON withdrawals (id);
CREATE INDEX withdrawals_to_decide ON withdrawals (id) INCLUDE (amount) WHERE status = 'PENDING';
-- Due work of the worker.
CREATE INDEX withdrawals_to_submit ON withdrawals (approved_at) WHERE status = 'APPROVED';
-- Finds the destinations that are approved automatically.
CREATE INDEX withdrawals_by_destination ON withdrawals (seller_id, masked_destination)
  WHERE status = 'PAID' OR approved_by IS NOT NULL;
-- Sums the reserved money of a seller.
CREATE INDEX withdrawals_under_way ON withdrawals (seller_id) INCLUDE (amount)
  WHERE status IN ('PENDING', 'APPROVED', 'PROCESSING');

-- A status of a withdrawal. position is the version that the change produced.
-- citus: distributed
CREATE TABLE withdrawal_history (
  seller_id uuid NOT NULL,
  withdrawal_id uuid NOT NULL,
  position integer NOT NULL,
  from_status text,
  to_status text NOT NULL,
  reason text,
  actor text NOT NULL, -- SELLER, GATEWAY (automatic approval), OPERATOR, WORKER or PROVIDER
  user_id uuid, -- operator's user
  at timestamptz NOT NULL,
  PRIMARY KEY (seller_id, withdrawal_id, position)
);

-- The approval of a withdrawal by one ADMIN.
-- citus: distributed
CREATE TABLE withdrawal_approvals (
  seller_id uuid NOT NULL,
  withdrawal_id uuid NOT NULL,
  user_id uuid NOT NULL, -- no foreign key: an approval outlives its user
  at timestamptz NOT NULL,
  PRIMARY KEY (seller_id, withdrawal_id, user_id)
);

-- The submission of a withdrawal to a payout provider, committed before the call. An unknown outcome is
-- retried with the same id, which the provider pays once.
-- citus: distributed
CREATE TABLE payouts (
  seller_id uuid NOT NULL,
  withdrawal_id uuid NOT NULL,
  provider text NOT NULL,
  attempts integer NOT NULL,
  unknown_calls integer NOT NULL DEFAULT 0, -- calls that the provider may have executed
  due_at timestamptz NOT NULL,
  lease_until timestamptz,
  leased_by uuid, -- the worker process
  submitted_at timestamptz, -- null until the provider accepted it
  provider_reference text, -- the provider's id of the payout
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (seller_id, withdrawal_id)
);
CREATE INDEX payouts_due ON payouts (due_at) WHERE submitted_at IS NULL;

-- Money that a payer sent and that is not the seller's (late, duplicate or wrong amount), on its way
-- back. Written with the provider event. PENDING is due, SENT is done, MANUAL waits for the operator. It
-- never enters the ledger.
-- citus: distributed
CREATE TABLE payment_reversals (
  seller_id uuid NOT NULL,
  id uuid NOT NULL, -- idempotency key at the provider
  transaction_id uuid NOT NULL,
  -- of the transaction it was paid for
  method text NOT NULL CHECK (method IN ('PIX', 'BOLETO', 'CREDIT_CARD')),
  provider text NOT NULL, -- that received the money
  provider_event_id text NOT NULL,
  amount bigint NOT NULL CHECK (amount > 0),
  reason text NOT NULL CHECK (reason IN ('LATE', 'DUPLICATE', 'WRONG_AMOUNT')),
  status text NOT NULL CHECK (status IN ('PENDING', 'SENT', 'MANUAL')),
  attempts integer NOT NULL,
  due_at timestamptz NOT NULL,
  lease_until timestamptz,
  leased_by uuid, -- the worker process
  provider_reference text,
  sent_at timestamptz,
  settled_by uuid, -- operator's user
  detail text, -- why it is MANUAL
  note text, -- what the operator did
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (seller_id, id)
);
-- A provider event is reversed once.
CREATE UNIQUE INDEX payment_reversals_by_event ON payment_reversals (seller_id, provider, provider_event_id);
CREATE INDEX payment_reversals_by_id ON payment_reversals (id);
CREATE INDEX payment_reversals_by_transaction ON payment_reversals (transaction_id);
CREATE INDEX payment_reversals_due ON payment_reversals (due_at) WHERE status = 'PENDING';
CREATE INDEX payment_reversals_to_settle ON payment_reversals (id) WHERE status = 'MANUAL';
