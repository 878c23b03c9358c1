-- Users and their tokens, manifests, and consignments with their history.
CREATE TABLE user (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL, company_id INTEGER NOT NULL,
    token TEXT NOT NULL UNIQUE, may_create INTEGER NOT NULL
) STRICT;
INSERT INTO user (id, name, company_id, token, may_create) VALUES
    (1, 'Practice clerk', 1, lower(hex(randomblob(24))), 1),
    (2, 'Practice viewer', 1, lower(hex(randomblob(24))), 0);
CREATE TABLE manifest (
    id INTEGER PRIMARY KEY AUTOINCREMENT, company_id INTEGER NOT NULL, carrier_id INTEGER NOT NULL,
    booked_us INTEGER NOT NULL, carrier_reference TEXT, document TEXT NOT NULL
) STRICT;
CREATE TABLE consignment (
    id INTEGER PRIMARY KEY AUTOINCREMENT, company_id INTEGER NOT NULL, carrier_id INTEGER NOT NULL,
    status INTEGER NOT NULL, manifest_id INTEGER REFERENCES manifest(id), document TEXT NOT NULL
) STRICT;
CREATE INDEX consignment_by_status ON consignment (status, company_id);
CREATE TABLE history (
    id INTEGER PRIMARY KEY AUTOINCREMENT, consignment_id INTEGER NOT NULL REFERENCES consignment(id),
    status INTEGER NOT NULL, at_us INTEGER NOT NULL, by_name TEXT NOT NULL, by_user_id INTEGER NOT NULL
) STRICT;
CREATE INDEX history_by_consignment ON history (consignment_id);
CREATE INDEX history_by_time ON history (at_us);
INSERT INTO sqlite_sequence (name, seq) VALUES ('consignment', 200000), ('manifest', 88300);
