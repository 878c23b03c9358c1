-- Every table has the address of the shipping service, because the ids of consignments belong to a service.

CREATE TABLE packbench.bench (
    service text NOT NULL,
    -- The first part of the bench's keys, which is different on every installation.
    bench text NOT NULL,
    name text NOT NULL,
    clerk text NOT NULL,
    version text NOT NULL,
    started timestamptz NOT NULL,
    last_seen timestamptz NOT NULL,
    PRIMARY KEY (service, bench)
);

-- A row for each thing that an open operation may change.
CREATE TABLE packbench.claim (
    service text NOT NULL,
    key text NOT NULL,
    bench text NOT NULL,
    -- The operation in the bench's journal. A restored journal may use an id again, but not at the same time.
    operation bigint NOT NULL,
    made timestamptz NOT NULL,
    kind text NOT NULL,
    title text NOT NULL,
    clerk text NOT NULL,
    taken timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (service, key)
);
CREATE INDEX claim_by_operation ON packbench.claim (service, bench, operation, made);

-- The changes of state of all benches' operations. Rows are only added, and deleted after 90 days.
CREATE TABLE packbench.operation_event (
    seq bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
    -- Given by the bench, so that an event that is delivered twice is stored once.
    id text NOT NULL UNIQUE,
    service text NOT NULL,
    bench text NOT NULL,
    operation bigint NOT NULL,
    made timestamptz NOT NULL,
    kind text NOT NULL,
    state text NOT NULL,
    -- True if the operation ended with this event.
    is_end boolean NOT NULL,
    title text NOT NULL,
    reference text NOT NULL,
    consignments bigint[] NOT NULL,
    message text NOT NULL,
    clerk text NOT NULL,
    happened timestamptz NOT NULL
);
CREATE INDEX operation_event_by_time ON packbench.operation_event (service, happened);
