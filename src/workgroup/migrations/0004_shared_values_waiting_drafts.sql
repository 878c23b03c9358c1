-- A restored copy of a database keeps its id; a new database gets another one.
CREATE TABLE packbench.identity (id text NOT NULL DEFAULT gen_random_uuid()::text);
INSERT INTO packbench.identity DEFAULT VALUES;

-- What all benches use alike: presets, views, printers, and consignments on hold. The newest change counts.
CREATE TABLE packbench.shared_value (
    service text NOT NULL,
    kind text NOT NULL,
    name text NOT NULL,
    -- JSON; NULL after the value was deleted.
    body text,
    version bigint NOT NULL,
    bench text NOT NULL,
    clerk text NOT NULL,
    changed timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (service, kind, name)
);
CREATE INDEX shared_value_by_version ON packbench.shared_value (service, version);
CREATE SEQUENCE packbench.shared_version;

CREATE FUNCTION packbench.share_values(
    of_service text, of_kinds text[], of_names text[], of_bodies text[], of_bench text, of_clerk text,
    of_change bigint
) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    -- One bench after another, so that a bench that has read a version has read all versions before it.
    PERFORM pg_advisory_xact_lock(88276516399462);
    INSERT INTO packbench.shared_value (service, kind, name, body, version, bench, clerk)
    SELECT of_service, kind, name, body, nextval('packbench.shared_version'), of_bench, of_clerk
    FROM unnest(of_kinds, of_names, of_bodies) AS wanted (kind, name, body)
    ON CONFLICT (service, kind, name) DO UPDATE SET
        body = excluded.body, version = excluded.version, bench = excluded.bench, clerk = excluded.clerk, changed = now();
    UPDATE packbench.bench SET shared_change = of_change WHERE service = of_service AND bench = of_bench;
    PERFORM pg_notify('packbench_shared', of_service);
END $$;

-- Drafts that a bench has left for any other.
CREATE TABLE packbench.waiting_draft (
    service text NOT NULL,
    -- Given by the bench, new each time, so that a draft that is delivered twice is stored once.
    id text NOT NULL,
    -- JSON; NULL once the bench that took the draft has saved it. The only place with a whole address.
    draft text,
    title text NOT NULL,
    receiver text NOT NULL,
    suburb text NOT NULL,
    -- True if the draft can be sent as it is.
    is_ready boolean NOT NULL,
    -- The order, if the draft was imported from a file of orders.
    company bigint,
    reference text,
    bench text NOT NULL,
    clerk text NOT NULL,
    left_at timestamptz NOT NULL DEFAULT now(),
    -- Drafts that are left together have the same time.
    place bigint GENERATED ALWAYS AS IDENTITY,
    taken_by text,
    taken timestamptz,
    PRIMARY KEY (service, id)
);
CREATE INDEX waiting_draft_by_place ON packbench.waiting_draft (service, place) WHERE taken_by IS NULL;
CREATE INDEX waiting_draft_by_taker ON packbench.waiting_draft (service, taken_by) WHERE draft IS NOT NULL;

-- How much a bench has to do, and its printers as "Zebra: ready". Also the number of the last change that it has shared,
-- so that a change whose answer was lost is not shared again after another bench has changed the same.
ALTER TABLE packbench.bench
    ADD COLUMN shared_change bigint NOT NULL DEFAULT 0,
    ADD COLUMN open_operations integer NOT NULL DEFAULT 0,
    ADD COLUMN drafts integer NOT NULL DEFAULT 0,
    ADD COLUMN labels integer NOT NULL DEFAULT 0,
    ADD COLUMN printers text[] NOT NULL DEFAULT '{}';
