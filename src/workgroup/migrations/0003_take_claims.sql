-- Takes all keys for an operation of a bench, or none and fails with PBHLD. One call, so that a bench waits only once for
-- the server and its disk.
CREATE FUNCTION packbench.take_claims(
    of_service text, of_keys text[], of_bench text, of_operation bigint, of_made timestamptz, of_kind text,
    of_title text, of_clerk text
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    taken bigint;
BEGIN
    -- In order, so that two benches with the same keys never wait for each other. A bench's own claims never stand in
    -- its way: its journal keeps its operations apart, and the end of the earlier one may not be delivered yet.
    INSERT INTO packbench.claim (service, key, bench, operation, made, kind, title, clerk)
    SELECT of_service, wanted, of_bench, of_operation, of_made, of_kind, of_title, of_clerk
    FROM unnest(of_keys) AS wanted ORDER BY wanted
    ON CONFLICT (service, key) DO UPDATE SET
        operation = excluded.operation, made = excluded.made, kind = excluded.kind, title = excluded.title,
        clerk = excluded.clerk, taken = now()
    WHERE claim.bench = excluded.bench;
    GET DIAGNOSTICS taken = ROW_COUNT;
    IF taken < cardinality(of_keys) THEN
        RAISE EXCEPTION 'another bench holds some of the keys' USING ERRCODE = 'PBHLD';
    END IF;
END $$;
