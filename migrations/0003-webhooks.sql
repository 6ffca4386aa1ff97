-- Webhook endpoints and the outbox of events and deliveries.

-- An endpoint of a seller that receives events.
-- citus: distributed
CREATE TABLE webhooks (
  seller_id uuid NOT NULL REFERENCES sellers (id),
  id uuid NOT NULL,
  url text NOT NULL,
  event_type text NOT NULL
    CHECK (event_type IN ('TRANSACTION', 'WITHDRAWAL', 'DISPUTE', 'SUBSCRIPTION', 'ALL')),
  description text,
  encrypted_secret text NOT NULL, -- signs deliveries
  disabled_at timestamptz,
  disabled_reason text, -- shown to the seller
  -- time of the first failure in the current run of failures; null after a success
  failing_since timestamptz,
  created_at timestamptz NOT NULL,
  CONSTRAINT webhooks_disabled_with_reason CHECK ((disabled_at IS NULL) = (disabled_reason IS NULL)),
  PRIMARY KEY (seller_id, id)
);
-- The operator lists the endpoints of all sellers, and those that are disabled.
CREATE INDEX webhooks_by_id ON webhooks (id);
CREATE INDEX webhooks_disabled ON webhooks (id) WHERE disabled_at IS NOT NULL;

-- A rotated secret that still signs beside its successor until signs_until.
-- citus: distributed
CREATE TABLE retired_webhook_secrets (
  seller_id uuid NOT NULL,
  webhook_id uuid NOT NULL,
  id uuid NOT NULL,
  encrypted_secret text NOT NULL,
  signs_until timestamptz NOT NULL,
  PRIMARY KEY (seller_id, webhook_id, id)
);

-- The secret that signs deliveries to the postbackUrl of a transaction or withdrawal. Created on first
-- use.
-- citus: distributed
CREATE TABLE postback_secrets (
  seller_id uuid PRIMARY KEY REFERENCES sellers (id),
  encrypted_secret text NOT NULL,
  -- The secret before the last rotation. It signs beside its successor until previous_signs_until.
  encrypted_previous_secret text,
  previous_signs_until timestamptz,
  created_at timestamptz NOT NULL
);

-- An event of the outbox, written in the transaction of the change that it describes.
-- citus: distributed
CREATE TABLE events (
  seller_id uuid NOT NULL,
  id uuid NOT NULL,
  type text NOT NULL,
  record_id uuid NOT NULL,
  payload text NOT NULL, -- the body that is delivered, byte for byte
  created_at timestamptz NOT NULL,
  trace_parent text, -- the traceparent of the span that wrote it, if it was sampled
  PRIMARY KEY (seller_id, id)
);

-- The delivery of one event to one URL. HELD deliveries wait for a disabled endpoint and are in no index
-- of due work.
-- citus: distributed
CREATE TABLE deliveries (
  seller_id uuid NOT NULL,
  id uuid NOT NULL,
  event_id uuid NOT NULL,
  event text NOT NULL, -- its type
  webhook_id uuid, -- null for a postbackUrl
  endpoint text NOT NULL, -- identifies the receiver, for fairness and concurrency limits
  url text NOT NULL,
  status text NOT NULL CHECK (status IN ('PENDING', 'DELIVERED', 'FAILED', 'HELD')),
  attempts smallint NOT NULL,
  due_at timestamptz NOT NULL,
  lease_until timestamptz,
  leased_by uuid, -- the worker process
  record_id uuid NOT NULL, -- the record of the event
  -- due now; retries become ready when the worker sees that due_at has passed
  ready boolean NOT NULL DEFAULT true,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (seller_id, id)
) WITH (fillfactor = 80); -- frequent updates stay on their page
CREATE INDEX deliveries_by_record ON deliveries (seller_id, record_id);
CREATE INDEX deliveries_failed ON deliveries (seller_id, id) WHERE status = 'FAILED';
-- Deliveries that have not ended, which are counted one by one. IS TRUE keeps it out of the plans of claims,
-- which would otherwise sort all pending deliveries where the statistics are from an empty queue.
CREATE INDEX deliveries_open ON deliveries (seller_id, status, id) INCLUDE (webhook_id)
  WHERE (status IN ('PENDING', 'HELD')) IS TRUE;
CREATE INDEX deliveries_by_webhook ON deliveries (seller_id, webhook_id, id);
-- Events other than the frequent one, whose deliveries are found along the primary key.
CREATE INDEX deliveries_by_event ON deliveries (seller_id, event, id) WHERE event <> 'TRANSACTION_UPDATED';
-- Claims read the oldest ready deliveries endpoint by endpoint.
CREATE INDEX deliveries_ready ON deliveries (endpoint, due_at) WHERE status = 'PENDING' AND ready;
CREATE INDEX deliveries_waiting ON deliveries (due_at) WHERE status = 'PENDING' AND NOT ready;

-- Deliveries that have ended, by receiver, São Paulo day of creation, and status. The statements that end
-- or delete deliveries count them.
-- citus: distributed
CREATE TABLE delivery_counts (
  seller_id uuid NOT NULL,
  webhook_id uuid NOT NULL, -- zero for postbackUrls
  day date NOT NULL,
  status text NOT NULL CHECK (status IN ('DELIVERED', 'FAILED')),
  count bigint NOT NULL,
  PRIMARY KEY (seller_id, webhook_id, day, status)
) WITH (fillfactor = 50); -- frequent updates stay on their page

-- One HTTP call of a delivery and its response.
-- citus: distributed
CREATE TABLE delivery_attempts (
  seller_id uuid NOT NULL,
  delivery_id uuid NOT NULL,
  number smallint NOT NULL,
  at timestamptz NOT NULL,
  latency_ms integer NOT NULL,
  status_code integer,
  response_body text, -- the first 1 KiB
  error text,
  PRIMARY KEY (seller_id, delivery_id, number)
);
