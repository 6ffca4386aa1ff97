-- each statement by itself

-- Invitations end with the user who made them.
DROP INDEX CONCURRENTLY IF EXISTS invitations_by_creator;
CREATE INDEX CONCURRENTLY IF NOT EXISTS invitations_by_creator ON invitations (created_by);
