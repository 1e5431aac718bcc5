SELECT now() AS time, d.oid, d.datname, d.datistemplate, d.datallowconn,
  age(d.datfrozenxid) AS frozenxid_age, mxid_age(d.datminmxid) AS minmxid_age,
  :avsim_next_xid AS next_xid,
  s.stats_reset, s.xact_commit, s.xact_rollback,
  s.stats_reset IS NOT NULL OR s.xact_commit + s.xact_rollback > 0 AS has_stats
FROM pg_database AS d LEFT JOIN pg_stat_database AS s ON s.datid = d.oid
ORDER BY d.ctid
