#!/usr/bin/env bash
# Measures how long it takes to have a store of KEYS keys back from its changelog, beside the same in Kafka Streams (Restore.java):
# both count one record a key, lose their state, and start again with nothing else to do; whole processes, in turns. PEERS_HOME is
# the folder with the peers: its broker and their jars are used.
#   REPEATS=3  KEYS=1000000
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../../.." && pwd)
: "${PEERS_HOME:?names the folder with the peers}"
source "$PEERS_HOME/lib.sh"
work=$(mktemp -d)
export BROKER_DIR=$work/broker TIDEMARK_CACHE_DIR=$work/cache TIDEMARK_STATE_DIR=$work/project KEYS=${KEYS:-1000000}
trap '"$PEERS_HOME/broker.sh" stop; rm -rf "$work"' EXIT

kafka=$(classes kafka Load.java)
mkdir "$work/classes"
javac -nowarn -proc:none -d "$work/classes" -cp "$kafka" "$here/Restore.java"
export BOOTSTRAP TOPIC=events STATE_DIR=$work/kafka-streams
BOOTSTRAP=$("$PEERS_HOME/broker.sh" start)
export TIDEMARK_LOG=kafka://$BOOTSTRAP
streams() { # MODE
  java -Xmx1g -XX:+UseParallelGC -Dorg.slf4j.simpleLogger.defaultLogLevel=error -cp "$work/classes:$kafka" Restore "$1"
}
project() { node "$root/bin/tidemark.js" run "$here/../jobs/counting.ts"; }
export -f streams project
export work kafka root here

streams load
streams count >"$work/log"
project >"$work/log"
timed() { # NAME FOLDER COMMAND
  rm -rf "$2"
  /usr/bin/time -o "$work/time" -f '%e s wall, %U s user, %S s system, %M KB' bash -c "$3" >"$work/log" 2>&1 ||
    { cat "$work/log" >&2; exit 1; }
  printf '%s\t%s\t%s\n' "$1" "$(tail -n 1 "$work/time")" "$(tail -n 1 "$work/log")"
}
for _ in $(seq "${REPEATS:-3}"); do
  timed kafka-streams "$STATE_DIR" 'streams restore'
  timed project "$TIDEMARK_STATE_DIR" project
done
