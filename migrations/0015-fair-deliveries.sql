-- Deliveries are taken endpoint by endpoint, so that none waits behind another's.

-- ready: may be attempted now. One that waits for its next attempt is not, until its time has come and the worker says so.
ALTER TABLE deliveries ADD COLUMN ready boolean NOT NULL DEFAULT true;
UPDATE deliveries SET ready = false WHERE status = 'PENDING' AND attempts > 0;
DROP INDEX deliveries_due;
-- The oldest of each endpoint, and from endpoint to endpoint without reading what lies between, however much that is.
CREATE INDEX deliveries_ready ON deliveries (endpoint, due_at) WHERE status = 'PENDING' AND ready;
CREATE INDEX deliveries_waiting ON deliveries (due_at) WHERE status = 'PENDING' AND NOT ready;
