-- The orders that were imported from files, so that only one bench sends each of them.
CREATE TABLE packbench.order_taken (
    service text NOT NULL,
    -- 0 stands for the company of the token.
    company bigint NOT NULL,
    -- In lower case.
    reference text NOT NULL,
    bench text NOT NULL,
    clerk text NOT NULL,
    taken timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (service, company, reference)
);
CREATE INDEX order_taken_by_time ON packbench.order_taken (service, taken);
