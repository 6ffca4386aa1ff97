-- When a check that goes on was last seen to. One whose process is gone must not keep the next one waiting, and one that takes
-- hours, since it rests between its parts, must not be taken for dead.
ALTER TABLE ledger_checks ADD COLUMN seen_at timestamptz;
