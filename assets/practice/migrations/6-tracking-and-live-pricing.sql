-- Lookup of tracking pages by token, and the integration id for live pricing.
CREATE UNIQUE INDEX consignment_by_token ON consignment (json_extract(document, '$.tracking_token'));
CREATE TABLE integration (id TEXT NOT NULL) STRICT;
INSERT INTO integration (id) VALUES (lower(hex(randomblob(12))));
