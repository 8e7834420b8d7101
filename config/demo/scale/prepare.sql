-- For one connection: what the rows of a long past are chosen from. The same number gives the same row: `pick` is a
-- number from 0 to below its second argument that looks random; the keys of a row's picks differ.
CREATE FUNCTION pg_temp.pick(key bigint, below integer) RETURNS integer LANGUAGE sql IMMUTABLE
    AS 'SELECT (hashint8(key) & 2147483647) % below';
CREATE FUNCTION pg_temp.began(visit bigint, visits bigint, days integer) RETURNS timestamptz LANGUAGE sql STABLE AS $$
    SELECT date_trunc('day', now()) - interval '1 day' * (days - visit * days / visits)
        + interval '1 hour' * ('{11,12,12,12,13,13,13,14,16,17,18,18,18,19,19,19,19,20,20,20,20,21}'::integer[])
            [1 + pg_temp.pick(visit * 64 + 1, 22)]
        + interval '1 second' * pg_temp.pick(visit * 64 + 2, 3600)
$$;
CREATE TEMP TABLE dining_table AS SELECT row_number() OVER (ORDER BY table_number) - 1 AS rank, id
    FROM restaurant_table;
CREATE TEMP TABLE dish AS SELECT row_number() OVER (ORDER BY name, id) - 1 AS rank, id, name, price
    FROM restaurant_menuitem;
CREATE TEMP TABLE code AS SELECT row_number() OVER (ORDER BY id) - 1 AS rank, id FROM qrservice_code;
CREATE TEMP TABLE transaction (LIKE loyalty_pointtransaction INCLUDING DEFAULTS);
CREATE TEMP TABLE location AS SELECT row_number() OVER (ORDER BY name, id) - 1 AS rank, id FROM loyalty_location;
ANALYZE dining_table, dish, code, location;
