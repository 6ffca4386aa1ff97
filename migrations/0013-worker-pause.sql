-- Until when the workers of a sandbox rest, by the machine's clock: who writes a history into the tables must not meet
-- a worker that lives in the present. Whoever asks for it says so again and again, so that it ends with them.
ALTER TABLE domain_clock ADD COLUMN workers_paused_until timestamptz;
