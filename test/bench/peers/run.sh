#!/usr/bin/env bash
# Measures this project beside other stream processors on the same broker and work. PEERS_HOME is the folder that has them
# and the run.sh that starts the broker, takes the time and checks the results against the truth. It takes one command for each
# workload, for two rows: `project` has its results in the topic exactly once and its stores in changelogs, `project-store` has
# them in the store only. All settings of that run.sh hold: PEERS, WORKLOADS, REPEATS, N, MORE, KEYS.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../../.." && pwd)
: "${PEERS_HOME:?names the folder with the peers}"

export TIDEMARK_CACHE_DIR=${TIDEMARK_CACHE_DIR:-$(mktemp -d)} # a job file is translated once, as the other peers are compiled
run="TIDEMARK_LOG=kafka://\$BOOTSTRAP TIDEMARK_STATE_DIR=\$STATE_DIR exec node ${NODE_FLAGS:-} $root/bin/tidemark.js run"
for workload in w1 w2 w3; do
  export "PROJECT_CMD_${workload^^}=$run $here/jobs/$workload.ts"
  export "PROJECT_STORE_CMD_${workload^^}=RESULTS=store $run $here/jobs/$workload.ts"
  export "PROJECT_STORE_DUMP_${workload^^}=node $here/dump.mjs $workload"
done
exec "$PEERS_HOME/run.sh"
