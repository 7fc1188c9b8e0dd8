#!/usr/bin/env bash
# swift-s3.sh PORT DIR: OpenStack Swift with its s3api middleware, an S3 server by other people, in the foreground on loopback.
# Takes PORT and the three ports after it; keeps everything in DIR. Needs Debian's swift-proxy, swift-account,
# swift-container, swift-object and curl (.ci/install-packages). Prints `swift-s3 listening on http://127.0.0.1:PORT` when
# ready. Access key test:tester, secret testing, region us-east-1, path style. Ends with SIGTERM.
set -euo pipefail

port=$1
dir=$2
conf=$dir/conf
user=$(id -un)
mkdir -p "$conf" "$dir/srv/d1" "$dir/log"
suffix=$(head -c8 /dev/urandom | od -An -tx1 | tr -d ' \n')

cat >"$conf/swift.conf" <<CONF
[swift-hash]
swift_hash_path_suffix = $suffix
swift_hash_path_prefix = x
[storage-policy:0]
name = p0
default = yes
CONF

# One device, one replica, for each of the three storage servers; in one process, because nine calls of
# swift-ring-builder take longer than all the rest; by the Python that Swift itself runs on.
python=$(sed -n '1s/^#! *//p' "$(command -v swift-ring-builder)")
$python - "$conf" "$port" <<'PYTHON'
import sys
from swift.common.ring import RingBuilder

conf, port = sys.argv[1], int(sys.argv[2])
for offset, kind in enumerate(['object', 'container', 'account'], 1):
    place = {'ip': '127.0.0.1', 'port': port + offset}
    replication = {'replication_ip': '127.0.0.1', 'replication_port': port + offset}
    builder = RingBuilder(4, 1, 1)
    builder.add_dev({'id': 0, 'region': 1, 'zone': 1, 'device': 'd1', 'weight': 1, 'meta': '', **place, **replication})
    builder.rebalance()
    builder.get_ring().save(f'{conf}/{kind}.ring.gz')
PYTHON
backend() {
  local kind=$1 backend_port=$2
  cat >"$conf/$kind.conf" <<CONF
[DEFAULT]
bind_ip = 127.0.0.1
bind_port = $backend_port
user = $user
swift_dir = $conf
devices = $dir/srv
mount_check = false
workers = 0
log_address = /dev/null
disable_fallocate = true
[pipeline:main]
pipeline = $kind-server
[app:$kind-server]
use = egg:swift#$kind
CONF
}
backend object $((port + 1))
backend container $((port + 2))
backend account $((port + 3))

cat >"$conf/proxy.conf" <<CONF
[DEFAULT]
bind_ip = 127.0.0.1
bind_port = $port
user = $user
swift_dir = $conf
workers = 0
log_address = /dev/null
[pipeline:main]
pipeline = catch_errors gatekeeper healthcheck cache listing_formats bulk s3api tempauth copy slo dlo versioned_writes proxy-server
[app:proxy-server]
use = egg:swift#proxy
allow_account_management = true
account_autocreate = true
[filter:tempauth]
use = egg:swift#tempauth
user_test_tester = testing .admin
[filter:s3api]
use = egg:swift#s3api
location = us-east-1
force_swift_request_proxy_log = false
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:1
CONF
for filter in healthcheck bulk slo dlo copy versioned_writes gatekeeper catch_errors listing_formats; do
  printf '[filter:%s]\nuse = egg:swift#%s\n' "$filter" "$filter" >>"$conf/proxy.conf"
done

pids=()
trap 'kill "${pids[@]}" 2>/dev/null || true; wait 2>/dev/null || true' EXIT
trap 'exit 0' TERM INT
for kind in account container object proxy; do
  SWIFT_TEST_CONFIG_FILE=$conf/swift.conf "swift-$kind-server" "$conf/$kind.conf" >"$dir/log/$kind.log" 2>&1 &
  pids+=($!)
done
# Any answer of the storage servers will do; the proxy would remember for a minute that one was not there yet.
all_answer() {
  for backend_port in $((port + 1)) $((port + 2)) $((port + 3)); do
    curl -sS "http://127.0.0.1:$backend_port/" >/dev/null 2>&1 || return 1
  done
  curl -fsS "http://127.0.0.1:$port/healthcheck" >/dev/null 2>&1
}
for _ in $(seq 300); do
  if all_answer; then
    echo "swift-s3 listening on http://127.0.0.1:$port"
    wait -n "${pids[@]}"
    break
  fi
  sleep 0.1
done
cat "$dir"/log/*.log >&2
echo 'swift-s3 did not start, or one of its servers ended' >&2
exit 1
