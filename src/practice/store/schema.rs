//! The schema, as migrations from any older version.

use rusqlite_migration::M;

/// Migrations, oldest first. A published migration must never change.
pub(super) const MIGRATIONS: &[M<'_>] = &[
    M::up(
    "CREATE TABLE user (
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
    INSERT INTO sqlite_sequence (name, seq) VALUES ('consignment', 200000), ('manifest', 88300);",
    ),
    // Details of status changes that carriers report.
    M::up(
        "ALTER TABLE history ADD COLUMN zone TEXT;
        ALTER TABLE history ADD COLUMN partial INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE history ADD COLUMN carrier_status TEXT;
        ALTER TABLE history ADD COLUMN carrier_words TEXT;
        ALTER TABLE history ADD COLUMN information TEXT;
        ALTER TABLE history ADD COLUMN item_reference TEXT;",
    ),
    // Roles and test mode of users.
    M::up(
        "ALTER TABLE user ADD COLUMN role TEXT NOT NULL DEFAULT 'clerk';
        ALTER TABLE user ADD COLUMN is_test INTEGER NOT NULL DEFAULT 0;
        UPDATE user SET role = 'viewer' WHERE may_create = 0;
        ALTER TABLE user DROP COLUMN may_create;
        INSERT INTO user (id, name, company_id, token, role, is_test) VALUES
            (3, 'Practice supervisor', 1, lower(hex(randomblob(24))), 'supervisor', 0),
            (4, 'Practice tester', 1, lower(hex(randomblob(24))), 'clerk', 1);",
    ),
    // Progress of carriers. Consignments booked before this migration start moving at the next start of the
    // service, as if they were booked then.
    M::up(
        "CREATE TABLE carriage (
            consignment_id INTEGER PRIMARY KEY REFERENCES consignment(id), steps INTEGER NOT NULL,
            since_us INTEGER NOT NULL, takes_us INTEGER NOT NULL, next_us INTEGER, ended INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX carriage_by_time ON carriage (next_us) WHERE next_us IS NOT NULL;
        CREATE TABLE pace (speed INTEGER NOT NULL) STRICT;
        INSERT INTO pace (speed) VALUES (0);
        INSERT INTO carriage (consignment_id, steps, since_us, takes_us, next_us, ended)
            SELECT c.id, 0, m.booked_us, 0, m.booked_us, 0 FROM consignment c JOIN manifest m ON m.id = c.manifest_id
            WHERE c.status = 3;",
    ),
    // Print jobs of the service's printers.
    M::up(
        "CREATE TABLE print_job (
            id INTEGER PRIMARY KEY AUTOINCREMENT, at_us INTEGER NOT NULL, company_id INTEGER NOT NULL,
            consignment_ids TEXT NOT NULL, label_type INTEGER NOT NULL, printer_id INTEGER NOT NULL,
            print_a4 INTEGER NOT NULL, by_name TEXT NOT NULL, rule TEXT
        ) STRICT;",
    ),
    // Lookup of tracking pages by token, and the integration id for live pricing.
    M::up(
        "CREATE UNIQUE INDEX consignment_by_token ON consignment (json_extract(document, '$.tracking_token'));
        CREATE TABLE integration (id TEXT NOT NULL) STRICT;
        INSERT INTO integration (id) VALUES (lower(hex(randomblob(12))));",
    ),
    // Pending consignments and their conversions, and indexes for lookups of consignments.
    M::up(
        "CREATE TABLE pending (
            id INTEGER PRIMARY KEY AUTOINCREMENT, company_id INTEGER NOT NULL, created_us INTEGER NOT NULL,
            by_user_id INTEGER NOT NULL, document TEXT NOT NULL
        ) STRICT;
        CREATE TABLE converted (
            pending_id INTEGER PRIMARY KEY, consignment_id INTEGER NOT NULL REFERENCES consignment(id) ON DELETE CASCADE
        ) STRICT;
        INSERT INTO sqlite_sequence (name, seq) VALUES ('pending', 50000);
        CREATE INDEX consignment_by_carrier_id ON consignment (json_extract(document, '$.carrier_consignment_id'));
        CREATE INDEX consignment_by_reference1 ON consignment (json_extract(document, '$.job.customer_reference'));
        CREATE INDEX consignment_by_reference2 ON consignment (json_extract(document, '$.job.customer_reference2'));",
    ),
    // Times of each consignment's first and last change, for the list of recent changes.
    M::up(
        "ALTER TABLE consignment ADD COLUMN first_us INTEGER;
        ALTER TABLE consignment ADD COLUMN last_us INTEGER;
        UPDATE consignment SET (first_us, last_us) =
            (SELECT min(at_us), max(at_us) FROM history WHERE consignment_id = consignment.id);
        CREATE TRIGGER history_is_recent AFTER INSERT ON history BEGIN
            UPDATE consignment SET first_us = min(coalesce(first_us, NEW.at_us), NEW.at_us),
                last_us = max(coalesce(last_us, NEW.at_us), NEW.at_us) WHERE id = NEW.consignment_id;
        END;
        CREATE INDEX consignment_by_change ON consignment (company_id, last_us, first_us, carrier_id);",
    ),
];
