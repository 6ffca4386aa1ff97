-- What the operator and sellers change is written down for good, and large withdrawals may need two people.

-- Who changed what, when and how: written in the transaction of the change, so that neither exists without the other.
-- Rows are never changed or deleted. before and after hold the members that changed and never a secret.
-- Its key is its id alone: a row belongs to the operator and names a seller only where the change was about one. Ids begin with
-- the time, so the key is the newest-first order too; written with the change, it lies wherever the changed record lies.
CREATE TABLE audit_log (
  id uuid PRIMARY KEY,
  at timestamptz NOT NULL,
  actor_kind text NOT NULL CHECK (actor_kind IN ('OPERATOR_USER', 'SELLER_USER', 'API_KEY', 'GATEWAY')),
  actor_id uuid, -- the user or key, which may be deleted later; null for the gateway itself
  actor_name text, -- as it was then
  action text NOT NULL,
  record_type text NOT NULL,
  record_id text, -- null where there is only one such record
  seller_id uuid,
  before json, -- null for what was made
  after json, -- null for what was deleted
  request_id text,
  CHECK ((actor_kind = 'GATEWAY') = (actor_id IS NULL))
);
CREATE INDEX audit_log_by_seller ON audit_log (seller_id, id);
CREATE INDEX audit_log_by_actor ON audit_log (actor_id, id);
CREATE INDEX audit_log_by_record ON audit_log (record_id, id);
CREATE INDEX audit_log_by_action ON audit_log (action, id);
-- The owner of a table may take rights from itself. So a slip in a program that runs as the owner fails; whoever may GRANT can still
-- take the rights back, and superusers are never asked.
REVOKE UPDATE, DELETE, TRUNCATE ON audit_log FROM CURRENT_USER;

-- What the operator sets for all sellers. One row.
CREATE TABLE operator_settings (
  id boolean PRIMARY KEY DEFAULT true CHECK (id),
  two_person_approval_above bigint CHECK (two_person_approval_above >= 0) -- cents; null: one ADMIN approves any withdrawal
);
INSERT INTO operator_settings DEFAULT VALUES;

-- Each ADMIN's approval of a withdrawal, once; it is APPROVED when there are as many as are needed at that moment.
CREATE TABLE withdrawal_approvals (
  seller_id uuid NOT NULL,
  withdrawal_id uuid NOT NULL,
  user_id uuid NOT NULL, -- no foreign key: an approval counts though the user is deleted later
  at timestamptz NOT NULL,
  PRIMARY KEY (seller_id, withdrawal_id, user_id)
);

-- How many approvals an approved withdrawal needed when it was approved; 0 for an automatic approval.
ALTER TABLE withdrawals ADD COLUMN approvals_needed smallint;
UPDATE withdrawals SET approvals_needed = CASE WHEN approved_by IS NULL THEN 0 ELSE 1 END WHERE approved_at IS NOT NULL;
INSERT INTO withdrawal_approvals (seller_id, withdrawal_id, user_id, at)
SELECT seller_id, id, approved_by, approved_at FROM withdrawals WHERE approved_by IS NOT NULL AND approved_at IS NOT NULL;

-- The users of one seller, and those of the operator, newest first.
DROP INDEX users_by_seller;
CREATE INDEX users_by_seller ON users (seller_id, id);
