"""The rows of a long past, made by PostgreSQL from numbers: the same number gives the same row.

`INSERT … SELECT` takes two thirds of the time of COPY, which has to be fed by Python (2.0 and 2.9 seconds for a million
scans), and leaves Python's processor to the database.
"""

SCANS_PER_VISIT, ORDERS_PER_VISIT = 20, 2
OPEN_EVERY = 169  # one order in so many is still open

# For one connection: what the rows are chosen from. `pick` is a number from 0 to below its second argument that looks
# random; the keys of a row's picks differ.
PREPARE = """
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
"""

# Sessions `first` to `last` of `visits`, each with two orders of one to five entries.
VISITS = f"""
WITH visit AS MATERIALIZED (
    SELECT visit, md5('visit ' || visit)::uuid AS id, dining_table.id AS table_id,
           pg_temp.began(visit, %(visits)s, %(days)s) AS began
      FROM generate_series(%(first)s::bigint, %(last)s) AS visit
      JOIN dining_table
        ON dining_table.rank = pg_temp.pick(visit * 64 + 3, (SELECT count(*) FROM dining_table)::integer)
), entry AS MATERIALIZED (
    SELECT visit, number, position, dish.id AS dish, dish.name, dish.price,
           ('{{1,1,1,1,1,2,2,3}}'::integer[])[1 + pg_temp.pick(number * 64 + position * 4 + 8, 8)] AS quantity
      FROM visit
     CROSS JOIN LATERAL generate_series(visit * {ORDERS_PER_VISIT}, visit * {ORDERS_PER_VISIT} + 1) AS number
     CROSS JOIN LATERAL generate_series(0, pg_temp.pick(number * 64 + 4, 5)) AS position
     CROSS JOIN (SELECT count(*) AS dishes FROM dish) AS menu
      JOIN dish ON dish.rank
           = floor(dishes * (pg_temp.pick(number * 64 + position * 4 + 9, 10000) / 10000::float8) ^ 1.6)::bigint
), bill AS MATERIALIZED (
    SELECT visit, number, sum(price * quantity) AS total,
           CASE WHEN number %% {OPEN_EVERY} > 0 THEN 'completed'
                ELSE ('{{pending,preparing,ready}}'::text[])[1 + pg_temp.pick(number * 64 + 5, 3)] END AS status
      FROM entry GROUP BY visit, number
), placed AS (
    INSERT INTO restaurant_order (id, table_id, session_id, status, total, created_at, ready_at, served_at,
                                  completed_at, request_digest)
    SELECT md5('order ' || number)::uuid, table_id, id, status, total, at,
           CASE WHEN status IN ('ready', 'completed') THEN at + interval '18 minutes' END,
           CASE WHEN status = 'completed' THEN at + interval '22 minutes' END,
           CASE WHEN status = 'completed' THEN at + interval '50 minutes' END, ''
      FROM bill JOIN visit USING (visit)
     CROSS JOIN LATERAL (SELECT began + interval '1 minute' * (5 + 40 * (number %% {ORDERS_PER_VISIT})) AS at) AS time
     ORDER BY at
), seated AS (
    INSERT INTO restaurant_tablesession (id, table_id, started_at, ended_at, total_scans, total_orders, total_revenue)
    SELECT id, table_id, began, began + interval '2 hours', {SCANS_PER_VISIT}, {ORDERS_PER_VISIT},
           revenue
      FROM visit JOIN (SELECT visit, sum(total) AS revenue FROM bill GROUP BY visit) AS paid USING (visit)
)
INSERT INTO restaurant_orderitem (id, order_id, menu_item_id, position, name, quantity, price, special_instructions)
SELECT md5('entry ' || number || ' ' || position)::uuid, md5('order ' || number)::uuid, dish, position, name, quantity,
       price, ''
  FROM entry
"""  # noqa: S608 (numbers of this module)

# Scans `first` to `last`, as many for each visit.
SCANS = f"""
INSERT INTO qrservice_scan (code_id, scanned_at, city, country, device_type)
SELECT code.id, pg_temp.began(scan / {SCANS_PER_VISIT}, %(visits)s, %(days)s)
           + interval '1 second' * pg_temp.pick(scan * 8 + 1, 7200),
       city, CASE city WHEN '' THEN '' WHEN 'London' THEN 'United Kingdom' ELSE 'Ireland' END,
       ('{{iOS,iOS,iOS,iOS,iOS,Android,Android,Android,Android,macOS,Windows,other}}'::text[])
           [1 + pg_temp.pick(scan * 8 + 2, 12)]
  FROM generate_series(%(first)s::bigint, %(last)s) AS scan
  JOIN code ON code.rank
       = floor((SELECT count(*) FROM code) * (pg_temp.pick(scan * 8 + 3, 10000) / 10000::float8) ^ 3)::bigint
 CROSS JOIN LATERAL (SELECT ('{{Dublin,Dublin,Dublin,Dublin,Dublin,Bray,Swords,Cork,London,""}}'::text[])
           [1 + pg_temp.pick(scan * 8 + 4, 10)] AS city) AS origin
"""  # noqa: S608 (numbers of this module)

# Members `first` to `last` of `members` with their purchases; of those who can afford it, some redeem a reward.
MEMBERS = """
WITH person AS MATERIALIZED (
    SELECT number, md5('member ' || number)::uuid AS id, joined, first_name || ' ' || last_name AS name,
           lower(first_name || '.' || replace(last_name, '''', '')) || '.' || number || '@example.com' AS email,
           CASE WHEN pg_temp.pick(number * 64 + 3, 2) > 0
                THEN '+353 20 9' || to_char(pg_temp.pick(number * 64 + 4, 1000000), 'FM000 000') ELSE '' END AS phone,
           -- Four of ten still come; the others have stopped.
           (now() - joined) * CASE WHEN pg_temp.pick(number * 64 + 5, 10) < 4 THEN 1
                                   ELSE pg_temp.pick(number * 64 + 6, 1000) / 1000::float8 END AS active_for,
           ('{0,0,0,1,1,1,2,3,4,8}'::integer[])[1 + pg_temp.pick(number * 64 + 7, 10)] AS purchases,
           CASE WHEN number %% 200 = 7 THEN 25 WHEN number %% 25 = 7 THEN 6 ELSE 1 END AS size
      FROM generate_series(%(first)s::bigint, %(last)s) AS number
     CROSS JOIN LATERAL (SELECT
           now() - interval '1 second' * (3600 + %(days)s * 86400 * (1 - number / %(members)s::float8)) AS joined,
           (%(first_names)s::text[])[1 + pg_temp.pick(number * 64 + 1, %(first_name_count)s)] AS first_name,
           (%(last_names)s::text[])[1 + pg_temp.pick(number * 64 + 2, %(last_name_count)s)] AS last_name) AS chosen
), purchase AS MATERIALIZED (
    SELECT number, person.id AS member, time, location.id AS location,
           joined + active_for * (pg_temp.pick(number * 64 + time + 16, 1000) / 1000::float8) AS at,
           round(((4 + 110 * (pg_temp.pick(number * 64 + time + 32, 1000) / 1000::float8) ^ 3) * size)::numeric, 2)
               AS total
      FROM person CROSS JOIN LATERAL generate_series(1, purchases) AS time
      JOIN location ON location.rank = (number + time) %% (SELECT count(*) FROM location)
), points AS MATERIALIZED (
    SELECT number, %(bonus)s + coalesce(sum(floor(total)), 0)::integer AS lifetime, max(at) AS latest,
           1 + count(total) AS awards, coalesce(sum(total), 0) AS spend
      FROM person LEFT JOIN purchase USING (number) GROUP BY number
), reward AS (
    SELECT id, name, points_required AS cost FROM loyalty_reward ORDER BY points_required, id LIMIT 1
), redemption AS MATERIALIZED (
    SELECT number, person.id AS member, md5('redemption ' || number)::uuid AS id, reward.id AS reward, reward.name,
           cost, latest + interval '1 minute' AS at
      FROM points JOIN person USING (number) JOIN reward ON lifetime >= cost AND latest < now() - interval '1 hour'
     WHERE number %% 20 = 0
), joined AS (
    INSERT INTO loyalty_member (id, email, name, phone, qr_analytics_id, points_balance, lifetime_points, awards,
                                spend, tier, created_at, last_activity_at, qr_code_url, short_url, card_key)
    SELECT person.id, email, person.name, phone, '', lifetime - coalesce(cost, 0), lifetime,
           awards, spend,
           CASE WHEN lifetime >= %(platinum)s THEN 'platinum' WHEN lifetime >= %(gold)s THEN 'gold'
                WHEN lifetime >= %(silver)s THEN 'silver' ELSE 'bronze' END,
           joined, coalesce(latest, joined), '', '', left(md5('key ' || number), 16)
      FROM person JOIN points USING (number) LEFT JOIN redemption USING (number)
), redeemed AS (
    INSERT INTO loyalty_redemption (id, customer_id, reward_id, points_spent, redemption_code, qr_analytics_id, status,
                                    expires_at, used_at, created_at, qr_code_url, short_url)
    -- Longer than a real code.
    SELECT id, member, reward, cost, 'RWD-U' || lpad(upper(to_hex(number / 20)), 6, '0'), '', 'used',
           at + interval '30 days', at + interval '20 minutes', at, '', ''
      FROM redemption
)
INSERT INTO transaction (id, customer_id, type, points, description, order_total, location_id, staff_id, created_at,
                  request_digest, result)
SELECT md5('bonus ' || number)::uuid, id, 'earn', %(bonus)s, 'Welcome bonus', NULL, NULL, '', joined, '', ''
  FROM person
 UNION ALL
SELECT md5('purchase ' || number || ' ' || time)::uuid, member, 'earn', floor(total)::integer, 'Purchase', total,
       location, 'cashier', at, '', ''
  FROM purchase
 UNION ALL
SELECT md5('redeem ' || number)::uuid, member, 'redeem', -cost, 'Redeemed: ' || name, NULL, NULL, '', at, '', ''
  FROM redemption
"""

# A ledger grows in the order of time: the rows of a month lie side by side.
LEDGER = "INSERT INTO loyalty_pointtransaction SELECT * FROM transaction ORDER BY created_at"
