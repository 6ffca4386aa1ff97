-- What the operator looks at when something seems wrong.

-- A process that does due work says every few seconds that it lives, and when each of its loops last looked. All times are of
-- the machine's clock: they are about machines and not about promises. A process that is gone leaves its row for a day.
CREATE TABLE worker_heartbeats (
  id uuid PRIMARY KEY,
  started_at timestamptz NOT NULL,
  seen_at timestamptz NOT NULL,
  loops json NOT NULL -- [{name, lastRunAt, failures}]
);

-- The operator reads the registrations of all sellers, newest first, and mostly those that are disabled.
CREATE INDEX webhooks_by_id ON webhooks (id);
CREATE INDEX webhooks_disabled ON webhooks (id) WHERE disabled_at IS NOT NULL;
