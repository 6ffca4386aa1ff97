-- People sign in from browsers: sessions that they can see and end, and a second factor.

-- A sign-in that lasts, and the family of its refresh tokens. Access tokens name it and are worth nothing without it.
-- Refresh tokens of carrier COOKIE live in a browser's cookie and those of BODY where a program put them; neither is taken for the other.
-- browser and masked_address (masked) are of the last use, so that a person recognises it.
CREATE TABLE sessions (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  transport text NOT NULL CHECK (transport IN ('BODY', 'COOKIE')),
  browser text,
  masked_address text,
  created_at timestamptz NOT NULL,
  last_used_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX sessions_by_user ON sessions (user_id, id);

INSERT INTO sessions (id, user_id, transport, created_at, last_used_at, expires_at)
SELECT family_id, user_id, 'BODY', min(created_at), max(created_at), max(expires_at)
FROM refresh_tokens GROUP BY family_id, user_id;
ALTER TABLE refresh_tokens ADD FOREIGN KEY (family_id) REFERENCES sessions (id) ON DELETE CASCADE;

-- The seed that a user's authenticator makes codes from (RFC 6238), sealed with ENCRYPTION_KEY. Until confirmed_at it is only
-- begun, and nobody is asked for a code. A code of last_step or before counts no more.
CREATE TABLE second_factors (
  user_id uuid PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  encrypted_secret text NOT NULL,
  confirmed_at timestamptz,
  last_step bigint,
  created_at timestamptz NOT NULL
);

-- What stands in for a code when the authenticator is lost: each once, kept as its SHA-256 (80 random bits each).
CREATE TABLE recovery_codes (
  user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  code_hash bytea NOT NULL,
  used_at timestamptz,
  PRIMARY KEY (user_id, code_hash)
);
