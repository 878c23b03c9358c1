-- Progress of carriers. Consignments booked before this migration start moving at the next start of the service, as if
-- they were booked then.
CREATE TABLE carriage (
    consignment_id INTEGER PRIMARY KEY REFERENCES consignment(id), steps INTEGER NOT NULL,
    since_us INTEGER NOT NULL, takes_us INTEGER NOT NULL, next_us INTEGER, ended INTEGER NOT NULL
) STRICT;
CREATE INDEX carriage_by_time ON carriage (next_us) WHERE next_us IS NOT NULL;
CREATE TABLE pace (speed INTEGER NOT NULL) STRICT;
INSERT INTO pace (speed) VALUES (0);
INSERT INTO carriage (consignment_id, steps, since_us, takes_us, next_us, ended)
    SELECT c.id, 0, m.booked_us, 0, m.booked_us, 0 FROM consignment c JOIN manifest m ON m.id = c.manifest_id
    WHERE c.status = 3;
