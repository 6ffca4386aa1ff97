-- What a seller does with its webhooks: rotate their secrets, look at deliveries, send them again.

-- A delivery names the record it tells of, so that the deliveries of one record are found without its events.
ALTER TABLE deliveries ADD COLUMN record_id uuid;
UPDATE deliveries d SET record_id = e.record_id FROM events e WHERE e.seller_id = d.seller_id AND e.id = d.event_id;
ALTER TABLE deliveries ALTER COLUMN record_id SET NOT NULL;
CREATE INDEX deliveries_by_record ON deliveries (seller_id, record_id);
-- What failed is rare among what arrived; sellers look for it.
CREATE INDEX deliveries_failed ON deliveries (seller_id, id) WHERE status = 'FAILED';

-- Secrets that were replaced and still sign beside the new one, so that a receiver has time to learn it.
-- Sealed with ENCRYPTION_KEY.
CREATE TABLE retired_webhook_secrets (
  seller_id uuid NOT NULL,
  webhook_id uuid NOT NULL,
  id uuid NOT NULL,
  encrypted_secret text NOT NULL,
  signs_until timestamptz NOT NULL,
  PRIMARY KEY (seller_id, webhook_id, id)
);
