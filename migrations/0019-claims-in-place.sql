-- A lease is written into the page of its delivery, where there is room left for it: no index has to learn of it then.
-- Only pages written from now on have that room.
ALTER TABLE deliveries SET (fillfactor = 80);
