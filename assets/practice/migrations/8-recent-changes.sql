-- Times of each consignment's first and last change, for the list of recent changes.
ALTER TABLE consignment ADD COLUMN first_us INTEGER;
ALTER TABLE consignment ADD COLUMN last_us INTEGER;
UPDATE consignment SET (first_us, last_us) =
    (SELECT min(at_us), max(at_us) FROM history WHERE consignment_id = consignment.id);
CREATE TRIGGER history_is_recent AFTER INSERT ON history BEGIN
    UPDATE consignment SET first_us = min(coalesce(first_us, NEW.at_us), NEW.at_us),
        last_us = max(coalesce(last_us, NEW.at_us), NEW.at_us) WHERE id = NEW.consignment_id;
END;
CREATE INDEX consignment_by_change ON consignment (company_id, last_us, first_us, carrier_id);
