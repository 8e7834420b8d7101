-- Sessions `first` to `last` of `visits`, each with two orders of one to five entries and the scans of `scans.sql`. One
-- order in 169 is still open.
WITH visit AS MATERIALIZED (
    SELECT visit, md5('visit ' || visit)::uuid AS id, dining_table.id AS table_id,
           pg_temp.began(visit, %(visits)s, %(days)s) AS began
      FROM generate_series(%(first)s::bigint, %(last)s) AS visit
      JOIN dining_table
        ON dining_table.rank = pg_temp.pick(visit * 64 + 3, (SELECT count(*) FROM dining_table)::integer)
), entry AS MATERIALIZED (
    SELECT visit, number, position, dish.id AS dish, dish.name, dish.price,
           ('{1,1,1,1,1,2,2,3}'::integer[])[1 + pg_temp.pick(number * 64 + position * 4 + 8, 8)] AS quantity
      FROM visit
     CROSS JOIN LATERAL generate_series(visit * 2, visit * 2 + 1) AS number
     CROSS JOIN LATERAL generate_series(0, pg_temp.pick(number * 64 + 4, 5)) AS position
     CROSS JOIN (SELECT count(*) AS dishes FROM dish) AS menu
      JOIN dish ON dish.rank
           = floor(dishes * (pg_temp.pick(number * 64 + position * 4 + 9, 10000) / 10000::float8) ^ 1.6)::bigint
), bill AS MATERIALIZED (
    SELECT visit, number, sum(price * quantity) AS total,
           json_agg(json_build_object('name', name, 'position', position, 'price', price::text, 'quantity', quantity,
                                      'vat_rate', NULL) ORDER BY position) AS items,
           began + interval '1 minute' * (5 + 40 * (number %% 2)) AS at,
           CASE WHEN number %% 169 > 0 THEN 'completed'
                ELSE ('{pending,preparing,ready}'::text[])[1 + pg_temp.pick(number * 64 + 5, 3)] END AS status
      FROM entry JOIN visit USING (visit) GROUP BY visit, number, began
), written AS (
    INSERT INTO web_journalentry (kind, at, user_name, subject, content)
    SELECT 'order', at, '', md5('order ' || number)::uuid,
           json_build_object('held', false, 'items', items, 'session', id)::text
      FROM bill JOIN visit USING (visit)
     ORDER BY at
), placed AS (
    INSERT INTO restaurant_order (id, table_id, session_id, status, total, created_at, ready_at, served_at,
                                  completed_at, request_digest)
    SELECT md5('order ' || number)::uuid, table_id, id, status, total, at,
           CASE WHEN status IN ('ready', 'completed') THEN at + interval '18 minutes' END,
           CASE WHEN status = 'completed' THEN at + interval '22 minutes' END,
           CASE WHEN status = 'completed' THEN at + interval '50 minutes' END, ''
      FROM bill JOIN visit USING (visit)
     ORDER BY at
), seated AS (
    INSERT INTO restaurant_tablesession (id, table_id, started_at, ended_at, total_scans, total_orders, total_revenue)
    SELECT id, table_id, began, began + interval '2 hours', 20, 2,
           revenue
      FROM visit JOIN (SELECT visit, sum(total) AS revenue FROM bill GROUP BY visit) AS paid USING (visit)
)
INSERT INTO restaurant_orderitem (id, order_id, menu_item_id, position, name, quantity, price, special_instructions)
SELECT md5('entry ' || number || ' ' || position)::uuid, md5('order ' || number)::uuid, dish, position, name, quantity,
       price, ''
  FROM entry
