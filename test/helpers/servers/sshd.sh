#!/usr/bin/env bash
# sshd.sh PORT DIR: OpenSSH's SFTP server on loopback, in the foreground; needs root and Debian's openssh-server (its own
# service need not run). User `exportu` with password `exportpw` (made if missing), home DIR/home; a client key pair at
# DIR/client_ed25519. Prints its host key's fingerprint and `sshd listening on 127.0.0.1:PORT`. Ends with SIGTERM, or at
# the end of standard input, then with all of its process group: give it one of its own.
set -euo pipefail
port=$1 dir=$2
mkdir -p "$dir/home" /run/sshd
id exportu >/dev/null 2>&1 || useradd --no-create-home --home-dir "$dir/home" --shell /usr/sbin/nologin exportu
usermod --home "$dir/home" exportu 2>/dev/null || true
echo 'exportu:exportpw' | chpasswd
chmod 755 "$dir"
chown exportu: "$dir/home"
[ -f "$dir/host_ed25519" ] || ssh-keygen -q -t ed25519 -N '' -f "$dir/host_ed25519"
[ -f "$dir/client_ed25519" ] || ssh-keygen -q -t ed25519 -N '' -f "$dir/client_ed25519"
cp "$dir/client_ed25519.pub" "$dir/authorized_keys"
chmod 644 "$dir/authorized_keys"
cat >"$dir/sshd_config" <<CONFIG
ListenAddress 127.0.0.1
Port $port
HostKey $dir/host_ed25519
PidFile $dir/sshd.pid
AuthorizedKeysFile $dir/authorized_keys
PasswordAuthentication yes
KbdInteractiveAuthentication no
PubkeyAuthentication yes
UsePAM no
StrictModes no
Subsystem sftp internal-sftp
AllowUsers exportu
ForceCommand internal-sftp -d $dir/home
MaxStartups 100
CONFIG
ssh-keygen -lf "$dir/host_ed25519.pub" | awk '{print "host key " $2}'
echo "sshd listening on 127.0.0.1:$port"
# Whoever started this holds standard input open; when they are gone, however they went, the whole group goes.
exec 3<&0
{
  cat <&3 >/dev/null
  kill -KILL 0
} &
exec /usr/sbin/sshd -D -e -f "$dir/sshd_config"
