-- Details of status changes that carriers report.
ALTER TABLE history ADD COLUMN zone TEXT;
ALTER TABLE history ADD COLUMN partial INTEGER NOT NULL DEFAULT 0;
ALTER TABLE history ADD COLUMN carrier_status TEXT;
ALTER TABLE history ADD COLUMN carrier_words TEXT;
ALTER TABLE history ADD COLUMN information TEXT;
ALTER TABLE history ADD COLUMN item_reference TEXT;
