-- Members `first` to `last` of `members` with their purchases; of those who can afford it, some redeem a reward.
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
           round(((4 + 110 * (pg_temp.pick(number * 64 + time + 32, 1000) / 1000::float8) ^ 3) * size)::numeric,
                 %(decimals)s) AS total
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
