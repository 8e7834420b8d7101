-- Scans `first` to `last`, twenty for each visit.
INSERT INTO qrservice_scan (code_id, scanned_at, city, country, device_type)
SELECT code.id, pg_temp.began(scan / 20, %(visits)s, %(days)s)
           + interval '1 second' * pg_temp.pick(scan * 8 + 1, 7200),
       city, CASE city WHEN '' THEN '' WHEN 'London' THEN 'United Kingdom' ELSE 'Ireland' END,
       ('{iOS,iOS,iOS,iOS,iOS,Android,Android,Android,Android,macOS,Windows,other}'::text[])
           [1 + pg_temp.pick(scan * 8 + 2, 12)]
  FROM generate_series(%(first)s::bigint, %(last)s) AS scan
  JOIN code ON code.rank
       = floor((SELECT count(*) FROM code) * (pg_temp.pick(scan * 8 + 3, 10000) / 10000::float8) ^ 3)::bigint
 CROSS JOIN LATERAL (SELECT ('{Dublin,Dublin,Dublin,Dublin,Dublin,Bray,Swords,Cork,London,""}'::text[])
           [1 + pg_temp.pick(scan * 8 + 4, 10)] AS city) AS origin
