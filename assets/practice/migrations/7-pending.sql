-- Pending consignments and their conversions, and indexes for lookups of consignments.
CREATE TABLE pending (
    id INTEGER PRIMARY KEY AUTOINCREMENT, company_id INTEGER NOT NULL, created_us INTEGER NOT NULL,
    by_user_id INTEGER NOT NULL, document TEXT NOT NULL
) STRICT;
CREATE TABLE converted (
    pending_id INTEGER PRIMARY KEY, consignment_id INTEGER NOT NULL REFERENCES consignment(id) ON DELETE CASCADE
) STRICT;
INSERT INTO sqlite_sequence (name, seq) VALUES ('pending', 50000);
CREATE INDEX consignment_by_carrier_id ON consignment (json_extract(document, '$.carrier_consignment_id'));
CREATE INDEX consignment_by_reference1 ON consignment (json_extract(document, '$.job.customer_reference'));
CREATE INDEX consignment_by_reference2 ON consignment (json_extract(document, '$.job.customer_reference2'));
