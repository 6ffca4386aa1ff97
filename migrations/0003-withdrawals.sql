-- Withdrawals: a seller's money on its way out.

-- One order of a seller to pay out of its balance. amount leaves the seller's balance, amount less fee_amount reaches the payee.
-- Like a charge it changes only at the version that the change was decided on.
-- Where the money goes (PIX key or wallet address) and the beneficiary's document stand here twice: sealed with
-- ENCRYPTION_KEY for whoever pays it out, and masked for whoever reads the withdrawal.
CREATE TABLE withdrawals (
  seller_id uuid NOT NULL,
  id uuid NOT NULL,
  method text NOT NULL CHECK (method IN ('PIX', 'CRYPTO')),
  status text NOT NULL CHECK (status IN ('PENDING', 'APPROVED', 'REJECTED', 'PROCESSING', 'PAID', 'FAILED')),
  rejection_reason text, -- why it is REJECTED or FAILED
  version integer NOT NULL,
  origin text NOT NULL CHECK (origin IN ('PIX', 'BOLETO', 'CARD')), -- which balance pays
  withdrawal_type text NOT NULL CHECK (withdrawal_type IN ('MANUAL')),
  amount bigint NOT NULL CHECK (amount > 0),
  fee_amount bigint NOT NULL CHECK (fee_amount >= 0 AND fee_amount < amount),
  pix_key_type text CHECK (pix_key_type IN ('CPF', 'CNPJ', 'PHONE', 'EMAIL', 'EVP')),
  crypto_network text CHECK (crypto_network IN ('TRC20', 'ERC20', 'POLYGON', 'BTC')),
  masked_destination text NOT NULL, -- masked
  encrypted_payee text NOT NULL,
  beneficiary_name text,
  beneficiary_document_type text CHECK (beneficiary_document_type IN ('CPF', 'CNPJ')),
  masked_beneficiary_document text, -- masked
  description text,
  metadata json, -- json and not jsonb: it is answered as it was sent
  approved_by uuid, -- the operator's user; null for an automatic approval
  provider text, -- who was given it to pay out
  approved_at timestamptz,
  processed_at timestamptz, -- when it was given to the provider
  paid_at timestamptz,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  CHECK ((method = 'PIX') = (pix_key_type IS NOT NULL)),
  CHECK ((method = 'CRYPTO') = (crypto_network IS NOT NULL)),
  PRIMARY KEY (seller_id, id)
) WITH (fillfactor = 80);
-- The operator reads the withdrawals of all sellers, newest first, and knows one by its id alone; mostly those that wait for a decision.
CREATE INDEX withdrawals_by_id ON withdrawals (id);
CREATE INDEX withdrawals_to_decide ON withdrawals (id) WHERE status = 'PENDING';
-- What the worker must give to a provider, and nothing else.
CREATE INDEX withdrawals_to_submit ON withdrawals (approved_at) WHERE status = 'APPROVED';

-- Every status a withdrawal has had. position is the version of the withdrawal that the change made.
CREATE TABLE withdrawal_history (
  seller_id uuid NOT NULL,
  withdrawal_id uuid NOT NULL,
  position integer NOT NULL,
  from_status text,
  to_status text NOT NULL,
  reason text,
  actor text NOT NULL, -- who caused it: SELLER, GATEWAY (automatic approval), OPERATOR, WORKER or PROVIDER
  user_id uuid, -- the operator's user
  at timestamptz NOT NULL,
  PRIMARY KEY (seller_id, withdrawal_id, position)
);

-- The intent to have a provider pay a withdrawal, written with the change to PROCESSING and before the provider is called.
-- submitted_at is null until the provider has taken it. A call whose outcome is unknown is made again with the same id,
-- under which the provider pays once.
CREATE TABLE payouts (
  seller_id uuid NOT NULL,
  withdrawal_id uuid NOT NULL,
  provider text NOT NULL,
  attempts integer NOT NULL,
  due_at timestamptz NOT NULL,
  lease_until timestamptz,
  submitted_at timestamptz,
  provider_reference text, -- the provider's own id of the payout
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (seller_id, withdrawal_id)
);
CREATE INDEX payouts_due ON payouts (due_at) WHERE submitted_at IS NULL;
