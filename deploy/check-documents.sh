#!/bin/bash
# Types the lines of Install and Update (docs/operating.md) and of restoring on a new machine (docs/backup.md) as they are written, on a
# bare Debian root under its own systemd: Install, Update twice in a row, and Restore on a second root. Only the versions are those of the
# newest tarball in release/ and of a copy with another version, and the log isn't followed. Root with debootstrap and unshare.
#
#   npm run release -- --preview && bash deploy/check-documents.sh     # DEBIAN_ROOT=/path names a root to use in place of debootstrap's,
#                                                                      # with libatomic1, systemd-sysv and dbus
#
# No network but loopback. It leaves nothing. Where it cannot run it says why, and that is no failure.
set -eu
checkout=$(cd "$(dirname "$0")/.." && pwd)

# Inside: $2 is "install" or "restore".
if [ "${1:-}" = look ]; then
    failed=0
    cd /root
    check() { local name=$1; shift; if "$@" > /tmp/said 2>&1; then echo "✔ $name"; else echo "✖ $name"; tail -20 /tmp/said; failed=1; fi; }
    says() { local words=$1; shift; "$@" > /tmp/heard 2>&1; local code=$?; cat /tmp/heard; grep -q -- "$words" /tmp/heard && [ $code -lt 2 ]; }
    # Runs each line by itself, as in a terminal.
    type_lines() { local name=$1 line; while IFS= read -r line; do check "$name: $line" bash -ec "$line"; done < "/srv/$name"; }
    node() { /opt/spawnpoint/node_modules/node/bin/node "$@"; }
    is_ready() { node -e "(async () => { for (let n = 0; n < 2400; n += 1) { const a = await fetch('http://127.0.0.1:3000/readyz').catch(() => null); if (a?.ok) process.exit(0); await new Promise((r) => setTimeout(r, 100)); } process.exit(1); })()"; }
    if [ "$2" = install ]; then
        type_lines install
        check "the site is ready" is_ready
        check "an admin is made" says "/reset-password?token=" spawnpoint create-admin boss@example.org
        # As the file was fetched, for nobody but root.
        check "update --check of a tarball in /root says what to do" says "cannot be read by spawnpoint. Unpack it first" \
            spawnpoint update --check "/root/$(cat /srv/next).tar.gz"
        for turn in 1 2; do type_lines update; check "turn $turn: it is ready" is_ready; done
        check "the other version runs" says "^Spawnpoint 99" spawnpoint --version
        check "a name that is taken is refused" says "exists already" spawnpoint backup "$(ls /var/backups/spawnpoint/*.tar.zst | head -1)"
        check "and so is a folder that is missing" says "is missing. Make it first" spawnpoint backup /var/backups/spawnpiont/x.tar.zst
        check "none of it is a failed backup" says "ok.*backup" sh -c "spawnpoint check | grep -i ' backup' | grep -vi wrong | sed 's/^/ok /'"
        cp "$(ls /var/backups/spawnpoint/*.tar.zst | tail -1)" /srv/out/site.tar.zst
    else
        head -n -2 /srv/install > /srv/install-first
        type_lines install-first
        cp /srv/out/site.tar.zst /root/
        type_lines restore
        check "the site is ready" is_ready
        check "the admin is in it" says "boss@example.org had an account" spawnpoint create-admin boss@example.org
    fi
    [ $failed = 0 ] || tail -20 /run/unit.log
    exit $failed
fi

# Inside, as root of new namespaces: lays the files out over the Debian root, and becomes systemd.
if [ "${1:-}" = boot ]; then
    place=$2 debian=$3 files=$4 root=$2/root
    mount --make-rprivate /
    mount -t tmpfs layer "$place"
    mkdir "$place/upper" "$place/work" "$root"
    mount -t overlay overlay -o "lowerdir=$debian,upperdir=$place/upper,workdir=$place/work" "$root"
    mount -t proc proc "$root/proc"
    mount --bind "$root/proc/sys" "$root/proc/sys" && mount -o remount,ro,bind "$root/proc/sys"
    mount -t sysfs -o ro sysfs "$root/sys"
    if [ "$(stat -fc %T /sys/fs/cgroup)" = cgroup2fs ]; then
        mount -t cgroup2 cgroup "$root/sys/fs/cgroup"
    else
        mount -t tmpfs cgroup "$root/sys/fs/cgroup" && mkdir "$root/sys/fs/cgroup/systemd"
        mount -t cgroup -o none,name=systemd cgroup "$root/sys/fs/cgroup/systemd"
    fi
    for folder in dev run tmp; do mount -t tmpfs tmpfs "$root/$folder"; done
    for name in null zero full random urandom tty; do touch "$root/dev/$name" && mount --bind "/dev/$name" "$root/dev/$name"; done
    mkdir "$root/dev/pts" "$root/dev/shm" && chmod 1777 "$root/dev/shm" "$root/tmp"
    mount -t devpts -o newinstance,ptmxmode=0666 devpts "$root/dev/pts"
    ln -s pts/ptmx "$root/dev/ptmx" && ln -s /proc/self/fd "$root/dev/fd" && touch "$root/dev/console"
    ip link set lo up
    mount --bind "$files" "$root/srv"
    cp "$files"/*.tar.gz "$files"/*.sha256 "$root/root/" && chmod 0600 "$root"/root/*
    # Nothing but dbus runs beside the site, and the log goes into a file.
    units=$root/etc/systemd/system
    rm -rf "$units" && mkdir -p "$units/spawnpoint.service.d"
    printf '[Unit]\nDefaultDependencies=no\nWants=dbus.service\n' > "$units/default.target"
    printf '[Unit]\nDefaultDependencies=no\n[Socket]\nListenStream=/run/dbus/system_bus_socket\n' > "$units/dbus.socket"
    printf '%s\n' '[Unit]' DefaultDependencies=no Requires=dbus.socket After=dbus.socket '[Service]' Type=notify \
        'ExecStart=/usr/bin/dbus-daemon --system --address=systemd: --nofork --nopidfile' > "$units/dbus.service"
    printf '[Service]\nStandardOutput=append:/run/unit.log\nStandardError=inherit\n' > "$units/spawnpoint.service.d/log.conf"
    exec chroot "$root" env -i container=lxc PATH=/usr/sbin:/usr/bin:/sbin:/bin \
        /lib/systemd/systemd --system --log-target=console --show-status=no
fi

skip() { echo "skipped: $1"; exit 0; }
[ "$(id -u)" = 0 ] || skip "only root can make a Debian root and go into it"
command -v unshare > /dev/null && unshare --net true 2> /dev/null || skip "namespaces are closed here"
[ -n "${DEBIAN_ROOT:-}" ] || command -v debootstrap > /dev/null || skip "the package debootstrap is not installed"
first=$(ls -t "$checkout"/release/*.tar.gz 2> /dev/null | head -1)
[ -n "$first" ] || skip "no release was made: npm run release -- --preview"

place=$(mktemp -d)
unshare= inside=
clean() {
    [ -z "$inside" ] || kill -KILL "$inside" 2> /dev/null || true
    [ -z "$unshare" ] || wait "$unshare" 2> /dev/null || true
    find /sys/fs/cgroup -depth -type d -name "spawnpoint-documents-$$" -exec rmdir {} + 2> /dev/null || true
    rm -rf "$place"
}
trap clean EXIT

debian=${DEBIAN_ROOT:-$place/debian}
[ -n "${DEBIAN_ROOT:-}" ] || debootstrap --variant=minbase --include=libatomic1,systemd-sysv,dbus bookworm "$debian" > "$place/debootstrap.log" 2>&1 ||
    skip "Debian cannot be fetched: $(tail -1 "$place/debootstrap.log")"

# The release, and the same with another version.
files=$place/files
mkdir -p "$files/out" && cp "$first" "$files/"
name=$(basename "$first" .tar.gz) next=spawnpoint-99.0.0-linux-x64
echo "$next" > "$files/next"
mkdir "$place/unpacked" && tar -xzf "$first" -C "$place/unpacked" && mv "$place/unpacked/$name" "$place/unpacked/$next"
sed -i 's/"version": *"[^"]*"/"version": "99.0.0"/' "$place/unpacked/$next/package.json" "$place/unpacked/$next/release.json"
tar -czf "$files/$next.tar.gz" -C "$place/unpacked" "$next" && rm -r "$place/unpacked"
(cd "$files" && for one in *.tar.gz; do sha256sum "$one" > "$one.sha256"; done)

# The first block of shell lines below the line of $2, without its comments behind a line.
block() { awk -v from="$2" '$0 ~ from { on = 1 } on && /^```$/ { exit } inside { print } on && /^```sh$/ { inside = 1 }' "$checkout/docs/$1" | sed -E 's/ {2,}#.*$//'; }
block operating.md '^## Install' | sed -e "s/spawnpoint-0\.3\.0-linux-x64/$name/g" -e 's/^journalctl .*/systemctl is-active spawnpoint/' > "$files/install"
block operating.md '^## Update' | sed "s/spawnpoint-0\.4\.0-linux-x64/$next/g" > "$files/update"
block backup.md 'On a new machine' > "$files/restore"
for lines in install update restore; do [ "$(wc -l < "$files/$lines")" -ge 3 ] || { echo "the lines of $lines were not found"; exit 1; }; done
# The settings are written when the file is there, and before the site starts.
sed -i "/spawnpoint\.env\$/a printf 'SITE_URL=http://127.0.0.1:3000\\\\n' > /etc/spawnpoint.env" "$files/install"
cp "$checkout/deploy/check-documents.sh" "$files/"

code=0
for part in install restore; do
    mkdir "$place/$part"
    group=/sys/fs/cgroup/$([ "$(stat -fc %T /sys/fs/cgroup)" = cgroup2fs ] || echo systemd/)spawnpoint-documents-$$
    mkdir -p "$group"
    (
        echo "$BASHPID" > "$group/cgroup.procs"
        exec unshare --mount --pid --fork --uts --ipc --net --cgroup --kill-child bash "$0" boot "$place/$part" "$debian" "$files"
    ) > "$place/$part.log" 2>&1 &
    unshare=$!
    for _ in $(seq 120); do
        sleep 0.5
        inside=$(pgrep -P "$unshare" || true)
        [ -n "$inside" ] && nsenter -t "$inside" -a -r -w systemctl is-active --quiet dbus 2> /dev/null && break
    done
    [ -n "$inside" ] || { cat "$place/$part.log"; exit 1; }
    nsenter -t "$inside" -a -r -w env -i PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin TERM=dumb HOME=/root \
        bash /srv/check-documents.sh look "$part" || code=1
    kill -KILL "$inside" 2> /dev/null || true
    wait "$unshare" 2> /dev/null || true
    inside= unshare=
done
exit "$code"
