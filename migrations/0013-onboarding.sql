-- Onboarding: how a seller applies, and what the operator decides.

-- A sign-up whose email is not confirmed yet. Its id becomes that of the seller. Deleted after a day.
-- citus: local
CREATE TABLE signups (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  document_type text NOT NULL CHECK (document_type IN ('CPF', 'CNPJ')),
  document text NOT NULL,
  owner_name text NOT NULL,
  owner_email text NOT NULL,
  password_hash text NOT NULL,
  locale text NOT NULL CHECK (locale IN ('pt-BR', 'en')),
  token_hash bytea UNIQUE, -- SHA-256; null until the worker has mailed the link
  expires_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL
);
CREATE INDEX signups_to_mail ON signups (id) WHERE token_hash IS NULL;
CREATE INDEX signups_expiring ON signups (expires_at);

-- The application of a seller that signed up. Name, document and owner are as they were stated.
-- citus: distributed
CREATE TABLE seller_applications (
  seller_id uuid PRIMARY KEY REFERENCES sellers (id),
  status text NOT NULL CHECK (
    status IN ('DRAFT', 'SUBMITTED', 'QUESTION', 'APPROVED', 'REJECTED', 'EXPIRED')
  ),
  name text NOT NULL,
  document_type text NOT NULL CHECK (document_type IN ('CPF', 'CNPJ')),
  document text NOT NULL,
  owner_name text NOT NULL,
  owner_email text NOT NULL,
  encrypted_details text, -- address, activity, volume, bank account; null until the applicant states them
  submitted_at timestamptz, -- the last time
  decided_at timestamptz,
  erased_at timestamptz, -- documents, messages and details have been deleted
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);
-- The operator lists the applications of all sellers, and those of one status.
CREATE INDEX seller_applications_by_status ON seller_applications (status, seller_id);
CREATE INDEX seller_applications_by_document ON seller_applications (document);
CREATE INDEX seller_applications_by_email ON seller_applications (owner_email);
-- Those that were rejected or abandoned, to be erased.
CREATE INDEX seller_applications_to_erase ON seller_applications (updated_at)
  WHERE erased_at IS NULL AND status IN ('DRAFT', 'QUESTION', 'REJECTED');

-- A file that an applicant presents.
-- citus: distributed
CREATE TABLE application_documents (
  seller_id uuid NOT NULL,
  id uuid NOT NULL,
  kind text NOT NULL CHECK (kind IN ('IDENTITY', 'COMPANY', 'ADDRESS', 'BANK', 'OTHER')),
  name text NOT NULL,
  type text NOT NULL CHECK (type IN ('application/pdf', 'image/png', 'image/jpeg')), -- that of its bytes
  size integer NOT NULL CHECK (size > 0), -- bytes
  encrypted_key text NOT NULL,
  content bytea NOT NULL, -- encrypted with that key
  created_at timestamptz NOT NULL,
  PRIMARY KEY (seller_id, id)
);
-- Encrypted bytes do not compress.
ALTER TABLE application_documents ALTER COLUMN content SET STORAGE EXTERNAL;

-- A question or decision of the operator, or an answer of the applicant.
-- citus: distributed
CREATE TABLE application_messages (
  seller_id uuid NOT NULL,
  id uuid NOT NULL,
  author text NOT NULL CHECK (author IN ('OPERATOR', 'APPLICANT')),
  text text NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (seller_id, id)
);
