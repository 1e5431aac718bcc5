#!/bin/sh
# Runs a sweep as an array job, and merges its shards when all tasks are done.
#
#   submit.sh FOLDER TASKS SWEEP-FLAGS...
#   submit.sh /shared/out 8 -f /shared/sweep.yaml --precision 5%
#
# FOLDER is on a file system that all nodes see, and so are avsim (in PATH, or its
# path in AVSIM) and the sweep file.
set -eu
[ $# -ge 2 ] || { sed -n '2,8p' "$0"; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
folder=$1 tasks=$2
shift 2
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)

"${AVSIM:-avsim}" sweep --plan "$@" | tail -n 3
array=$(sbatch --parsable --array="1-$tasks" --output="$folder/task-%a.log" "$here/sweep.sbatch" "$folder" "$@")
merge=$(sbatch --parsable --dependency="afterok:$array" --kill-on-invalid-dep=yes --output="$folder/merge.log" "$here/merge.sbatch" "$folder")
echo "array $array, merge $merge; the result will be in $folder"
