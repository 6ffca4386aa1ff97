-- Mails and notifications.

-- A mail of the outbox, written in the transaction of the change that causes it. The text is rendered when it
-- is sent. Mails of the operator have the nil UUID as seller_id.
-- citus: distributed
CREATE TABLE mails (
  seller_id uuid NOT NULL,
  id uuid NOT NULL,
  template text NOT NULL,
  locale text NOT NULL CHECK (locale IN ('pt-BR', 'en')),
  recipient text NOT NULL,
  params json NOT NULL, -- of the template; no secret
  encrypted_token text, -- of the link; deleted when the mail is sent
  record_id uuid, -- the transaction that a payer's mail is about
  -- KEPT: in the mailbox of the sandbox, without an SMTP server; FAILED: no further attempt
  status text NOT NULL CHECK (status IN ('PENDING', 'SENT', 'KEPT', 'FAILED')),
  attempts smallint NOT NULL,
  due_at timestamptz NOT NULL,
  lease_until timestamptz,
  leased_by uuid, -- the worker process
  expires_at timestamptz, -- the link is void, and the mail is not sent any more
  smtp_code smallint, -- of the last response of the server
  error text, -- why the last attempt failed
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (seller_id, id)
);
CREATE INDEX mails_due ON mails (due_at) WHERE status = 'PENDING';
-- Mails to users do not wait for those to payers.
CREATE INDEX mails_to_users_due ON mails (due_at) WHERE status = 'PENDING' AND record_id IS NULL;
-- The operator lists the mails of all sellers.
CREATE INDEX mails_by_id ON mails (id);
CREATE INDEX mails_by_status ON mails (status, id);
CREATE INDEX mails_by_recipient ON mails (recipient, id);
CREATE INDEX mails_by_record ON mails (seller_id, record_id) WHERE record_id IS NOT NULL;

-- The kinds of notifications that a user receives by mail. No row: the defaults of the program.
-- citus: local
CREATE TABLE notification_choices (
  user_id uuid PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  mailed text[] NOT NULL,
  summary_after date, -- São Paulo day of the last daily summary; null if the user wants none
  updated_at timestamptz NOT NULL
);
CREATE INDEX notification_choices_by_summary ON notification_choices (summary_after)
  WHERE summary_after IS NOT NULL;

-- What a user has been notified of in the dashboard. Ids begin with the time.
-- citus: local
CREATE TABLE notifications (
  user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  id uuid NOT NULL,
  kind text NOT NULL,
  params json NOT NULL, -- of the template of the kind
  read_at timestamptz,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (user_id, id)
);
CREATE INDEX notifications_unread ON notifications (user_id, id) WHERE read_at IS NULL;
CREATE INDEX notifications_by_time ON notifications (created_at);

-- A payer who wants no more mails about a seller, by the SHA-256 of the email.
-- citus: distributed
CREATE TABLE mail_opt_outs (
  seller_id uuid NOT NULL,
  email_hash bytea NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (seller_id, email_hash)
);
