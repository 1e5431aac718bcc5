SELECT
  CASE WHEN v >= 130000 THEN 'pg_stat_get_ins_since_vacuum(c.oid)' ELSE 'NULL' END AS ins_since_vacuum,
  CASE WHEN v >= 160000 THEN 'pg_stat_get_tuples_newpage_updated(c.oid)' ELSE 'NULL' END AS newpage_updated,
  CASE WHEN v >= 180000 THEN 'c.relallfrozen' ELSE 'NULL' END AS allfrozen,
  CASE WHEN v >= 130000 THEN 'pg_snapshot_xmax(pg_current_snapshot())' ELSE 'txid_snapshot_xmax(txid_current_snapshot())' END AS next_xid,
  to_char(now() AT TIME ZONE 'UTC', 'YYYYMMDD"T"HH24MISS"Z"') AS stamp,
  regexp_replace(current_database(), '[^A-Za-z0-9_.-]', '_', 'g') AS db
FROM (SELECT current_setting('server_version_num')::int AS v) AS version
