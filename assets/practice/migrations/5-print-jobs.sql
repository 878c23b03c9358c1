-- Print jobs of the service's printers.
CREATE TABLE print_job (
    id INTEGER PRIMARY KEY AUTOINCREMENT, at_us INTEGER NOT NULL, company_id INTEGER NOT NULL,
    consignment_ids TEXT NOT NULL, label_type INTEGER NOT NULL, printer_id INTEGER NOT NULL,
    print_a4 INTEGER NOT NULL, by_name TEXT NOT NULL, rule TEXT
) STRICT;
