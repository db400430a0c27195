# Installs Debian packages as root and starts none of their services, neither now nor when the machine starts next.
#
# Packages ask /usr/sbin/policy-rc.d whether they may start a service. Ours says no for as long as this runs, and only
# then: should it be killed, what it leaves behind says what was said before, and the next run takes it away.
set -eu
policy=/usr/sbin/policy-rc.d
kept=$policy.before-milaan
units() { find /etc/systemd/system -path '*.wants/*' 2>/dev/null | sort; }
restore() {
  if [ -e "$kept" ]; then mv -f "$kept" "$policy"; else rm -f "$policy"; fi
}

if grep -qs 'milaan tests' "$policy"; then restore; fi
if [ -e "$policy" ]; then mv "$policy" "$kept"; fi
trap restore EXIT
trap 'exit 130' INT TERM HUP
cat > "$policy" <<POLICY
#!/bin/sh
# milaan tests: for the time of an installation
if [ -d /proc/$$ ]; then exit 101; fi
if [ -x $kept ]; then exec $kept "\$@"; fi
exit 0
POLICY
chmod 755 "$policy"

before=$(units)
export DEBIAN_FRONTEND=noninteractive
apt-get -q update
install() { apt-get -q install -y --no-install-recommends "$@"; }
# Where one cannot be had, the others can.
status=0
install "$@" || for one in "$@"; do install "$one" || status=1; done
# A unit that came with them is not started with the machine either.
for unit in $(units | grep -vxF -e "$before" || true); do
  if [ -n "$(command -v systemctl)" ]; then systemctl -q disable "$(basename "$unit")"; else rm -f "$unit"; fi
done
exit $status
