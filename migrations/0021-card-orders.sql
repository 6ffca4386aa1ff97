-- Orders of cards. Whether a PLACE authorizes only, so that an answer that was lost can be read from the provider's report;
-- and providers name an order by its id alone.
ALTER TABLE provider_operations ADD COLUMN capture boolean NOT NULL DEFAULT true;
CREATE INDEX provider_operations_by_id ON provider_operations (id);

-- A dispute that a provider has told of, by the provider's own id: told again it is the same dispute.
ALTER TABLE disputes ADD COLUMN provider text;
ALTER TABLE disputes ADD COLUMN provider_reference text;
CREATE UNIQUE INDEX disputes_by_provider ON disputes (seller_id, provider, provider_reference)
  WHERE provider_reference IS NOT NULL;

-- When the entries of a refund through a provider of others were booked, by which reconciliation knows them: they are later
-- than the refund.
ALTER TABLE refunds ADD COLUMN booked_at timestamptz;
