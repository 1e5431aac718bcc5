SELECT now() AS time, current_database() AS db, c.oid, n.nspname, c.relname, c.relkind, c.relpersistence, c.relisshared,
  row_number() OVER (ORDER BY c.ctid) AS class_place,
  c.reltuples, c.relpages, c.relallvisible, :avsim_allfrozen AS relallfrozen,
  coalesce(i.n, 0) AS n_indexes, coalesce(i.pages, 0) AS index_pages_total,
  array_to_string(c.reloptions, ',') AS reloptions, c.reltoastrelid AS toast_oid,
  age(c.relfrozenxid) AS frozenxid_age, mxid_age(c.relminmxid) AS minmxid_age,
  pg_stat_get_tuples_inserted(c.oid) AS n_tup_ins, pg_stat_get_tuples_updated(c.oid) AS n_tup_upd,
  pg_stat_get_tuples_deleted(c.oid) AS n_tup_del, pg_stat_get_tuples_hot_updated(c.oid) AS n_tup_hot_upd,
  :avsim_newpage_updated AS n_tup_newpage_upd,
  pg_stat_get_live_tuples(c.oid) AS n_live_tup, pg_stat_get_dead_tuples(c.oid) AS n_dead_tup,
  pg_stat_get_mod_since_analyze(c.oid) AS n_mod_since_analyze, :avsim_ins_since_vacuum AS n_ins_since_vacuum,
  pg_stat_get_vacuum_count(c.oid) AS vacuum_count, pg_stat_get_autovacuum_count(c.oid) AS autovacuum_count,
  pg_stat_get_autoanalyze_count(c.oid) AS autoanalyze_count, pg_stat_get_last_autovacuum_time(c.oid) AS last_autovacuum
FROM pg_class AS c
  JOIN pg_namespace AS n ON n.oid = c.relnamespace
  LEFT JOIN (SELECT x.indrelid, count(*) AS n, sum(p.relpages) AS pages
             FROM pg_index AS x JOIN pg_class AS p ON p.oid = x.indexrelid GROUP BY x.indrelid) AS i ON i.indrelid = c.oid
WHERE c.relkind IN ('r', 'm', 't')
ORDER BY c.ctid
