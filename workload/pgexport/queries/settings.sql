SELECT name, setting, unit, source
FROM pg_settings
WHERE name IN ('server_version', 'log_line_prefix', 'block_size', 'maintenance_work_mem', 'shared_buffers', 'track_counts')
   OR vartype <> 'string' AND (name LIKE '%vacuum%' OR name LIKE 'track\_%' OR name LIKE 'checkpoint\_%'
      OR source NOT IN ('default', 'override', 'client', 'session', 'interactive')
         AND (category LIKE 'Resource Usage%' OR category LIKE 'Write-Ahead Log%' OR category LIKE 'Statistics%'))
UNION ALL
SELECT 'avsim_in_recovery', pg_is_in_recovery()::text, NULL, NULL
