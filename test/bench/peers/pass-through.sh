#!/usr/bin/env bash
# Measures a filter from topic to topic, exactly once, beside the same in Kafka Streams (PassThrough.java): N records in, half of
# them out, in turns, as whole processes. PEERS_HOME is the folder with the peers: its broker, its loader and their jars are used.
#   REPEATS=3  N=1000000
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../../.." && pwd)
: "${PEERS_HOME:?names the folder with the peers}"
source "$PEERS_HOME/lib.sh"
work=$(mktemp -d)
export BROKER_DIR=$work/broker TIDEMARK_CACHE_DIR=$work/cache
trap '"$PEERS_HOME/broker.sh" stop; rm -rf "$work"' EXIT

loader=$(classes kafka Load.java)
mkdir "$work/classes"
javac -nowarn -proc:none -d "$work/classes" -cp "$loader" "$here/PassThrough.java"
export BOOTSTRAP TOPIC=events
BOOTSTRAP=$("$PEERS_HOME/broker.sh" start)
export TIDEMARK_LOG=kafka://$BOOTSTRAP
quiet=-Dorg.slf4j.simpleLogger.defaultLogLevel=error
java -Xmx512m $quiet -cp "$loader" Load "$TOPIC" "${N:-1000000}" 4 none 10000 42

timed() { # NAME REPEAT COMMAND...
  export OUT_TOPIC=out-$1-$2 STATE_DIR=$work/$1-$2
  mkdir "$STATE_DIR"
  node "$root/bin/tidemark.js" log create "$OUT_TOPIC" --partitions 4 >/dev/null
  printf '%s\t' "$1"
  /usr/bin/time -f '%e s wall, %U s user, %S s system, %M KB' "${@:3}" 2>&1 >/dev/null | tail -n 1
}
for repeat in $(seq "${REPEATS:-3}"); do
  timed kafka-streams "$repeat" java -Xmx1g -XX:+UseParallelGC $quiet -cp "$work/classes:$loader" PassThrough
  timed project "$repeat" env TIDEMARK_STATE_DIR="$work/project-$repeat" node "$root/bin/tidemark.js" run "$here/jobs/pass-through.ts"
done
