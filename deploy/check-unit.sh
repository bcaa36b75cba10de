#!/bin/bash
# Runs deploy/spawnpoint.service and deploy/spawnpoint under a real systemd: this machine's own, as the first process of namespaces
# in which this machine's files lie below a layer that vanishes. So the unit starts the built site of this checkout as an operator's
# machine would, and each documented command is typed beside it. Root on Debian with systemd and dbus; a minute.
#
#   npm run build && bash deploy/check-unit.sh
#
# What differs from a machine that booted: no network but loopback, nothing but dbus beside it, no devices. It leaves nothing.
set -eu
checkout=$(cd "$(dirname "$0")/.." && pwd)

# Inside: what an operator does, in the order of docs/operating.md.
if [ "${1:-}" = look ]; then
    failed=0
    check() { local name=$1; shift; if "$@" > /tmp/said 2>&1; then echo "✔ $name"; else echo "✖ $name"; cat /tmp/said; failed=1; fi; }
    says() { local words=$1; shift; "$@" > /tmp/heard 2>&1; local code=$?; cat /tmp/heard; grep -q -- "$words" /tmp/heard && [ $code -lt 2 ]; }
    check "the unit starts" systemctl start spawnpoint
    for _ in $(seq 120); do curl -sf -o /dev/null http://127.0.0.1:3000/readyz && break; sleep 0.5; done
    check "the site is ready" curl -sf http://127.0.0.1:3000/readyz
    check "settings mean what they say" grep -qz "^AUTH_SECRET=it's not \$HOME & \"more\", # or less, or so\$" \
        "/proc/$(systemctl show --property=MainPID --value spawnpoint)/environ"
    check "the check finds site, database and secrets" says " 0 wrong" spawnpoint check
    check "so it does on a terminal" says " 0 wrong" script --quiet --return --command "spawnpoint check" /dev/null
    check "create-admin prints a link" says "/reset-password?token=" spawnpoint create-admin boss@example.org
    install -d -o spawnpoint /srv/backups /srv/new
    check "backup writes a file" says SHA-256 spawnpoint backup /srv/backups/site.tar.zst
    check "it is proven" spawnpoint backup --verify /srv/backups/site.tar.zst
    check "DATA_DIR=… restore takes another folder" env DATA_DIR=/srv/new spawnpoint restore /srv/backups/site.tar.zst
    check "the unit stops in order" systemctl stop spawnpoint
    check "it ended well" says "Result=success" systemctl show --property=Result spawnpoint
    rm -r /var/lib/spawnpoint/postgres
    check "restore takes the emptied folder: no command left anything of its own there" \
        spawnpoint restore /srv/backups/site.tar.zst
    check "all of it is for the site's user alone" \
        sh -c 'find /var/lib/spawnpoint \( -not -user spawnpoint -o -perm /077 \) -not -type s | tee /dev/stderr | wc -l | grep -qx 0'
    check "the unit starts on it" systemctl start spawnpoint
    # A backup that the site makes by itself runs behind the pages: the unit's filter has to let a process step back.
    sed -e 's#^ExecStart=.*#ExecStart=/usr/bin/nice -n 10 /bin/sh -c "nice >/var/lib/spawnpoint/nice"#' \
        -e 's/^Type=.*/Type=oneshot/' -e '/^Restart/d' /etc/systemd/system/spawnpoint.service > /etc/systemd/system/nice.service
    check "under the unit's filter a priority can be lowered" systemctl start nice
    check "and is" says "^10$" cat /var/lib/spawnpoint/nice
    [ $failed = 0 ] || cat /run/unit.log
    exit $failed
fi

# Inside, as root of new namespaces: lays the files out and becomes systemd.
if [ "${1:-}" = boot ]; then
    place=$2 root=$2/root
    mount --make-rprivate /
    mount -t tmpfs layer "$place"
    mkdir "$place/upper" "$place/work" "$root"
    mount -t overlay overlay -o "lowerdir=/,upperdir=$place/upper,workdir=$place/work" "$root"
    mount -t proc proc "$root/proc"
    mount --bind "$root/proc/sys" "$root/proc/sys" && mount -o remount,ro,bind "$root/proc/sys"
    mount -t sysfs -o ro sysfs "$root/sys"
    if [ "$(stat -fc %T /sys/fs/cgroup)" = cgroup2fs ]; then
        mount -t cgroup2 cgroup "$root/sys/fs/cgroup"
    else
        mount -t tmpfs cgroup "$root/sys/fs/cgroup" && mkdir "$root/sys/fs/cgroup/systemd"
        mount -t cgroup -o none,name=systemd cgroup "$root/sys/fs/cgroup/systemd"
    fi
    for folder in dev run tmp srv var/lib; do mount -t tmpfs tmpfs "$root/$folder"; done
    for name in null zero full random urandom tty; do
        touch "$root/dev/$name" && mount --bind "/dev/$name" "$root/dev/$name"
    done
    mkdir "$root/dev/pts" "$root/dev/shm" && chmod 1777 "$root/dev/shm" "$root/tmp"
    mount -t devpts -o newinstance,ptmxmode=0666 devpts "$root/dev/pts"
    ln -s pts/ptmx "$root/dev/ptmx" && ln -s /proc/self/fd "$root/dev/fd" && touch "$root/dev/console"
    ip link set lo up
    mkdir -p "$root/opt/spawnpoint" "$root/usr/local/bin"
    mount --rbind "$checkout" "$root/opt/spawnpoint" && mount -o remount,ro,bind "$root/opt/spawnpoint"
    # Nothing of this machine's own is started; of dbus, which needs half a machine by its own unit, the program alone.
    units=$root/etc/systemd/system
    rm -rf "$units" && mkdir "$units"
    printf '[Unit]\nDefaultDependencies=no\nWants=dbus.service\n' > "$units/default.target"
    printf '[Unit]\nDefaultDependencies=no\n[Socket]\nListenStream=/run/dbus/system_bus_socket\n' > "$units/dbus.socket"
    printf '%s\n' '[Unit]' DefaultDependencies=no Requires=dbus.socket After=dbus.socket '[Service]' Type=notify \
        'ExecStart=/usr/bin/dbus-daemon --system --address=systemd: --nofork --nopidfile' > "$units/dbus.service"
    chroot "$root" useradd --system --home-dir /var/lib/spawnpoint --shell /usr/sbin/nologin spawnpoint
    cp "$checkout/deploy/spawnpoint.service" "$units/"
    mkdir "$units/spawnpoint.service.d"
    printf '[Service]\nStandardOutput=append:/run/unit.log\nStandardError=inherit\n' > "$units/spawnpoint.service.d/log.conf"
    ln -sf /opt/spawnpoint/deploy/spawnpoint "$root/usr/local/bin/"
    printf '%s\n' SITE_URL=http://127.0.0.1:3000 WEB_WORKERS=1 '# A comment.' \
        "AUTH_SECRET=\"it's not \$HOME & \\\"more\\\", # or less, or so\"" > "$root/etc/spawnpoint.env"
    chmod 600 "$root/etc/spawnpoint.env"
    exec chroot "$root" env -i container=lxc PATH=/usr/sbin:/usr/bin:/sbin:/bin \
        /lib/systemd/systemd --system --log-target=console --show-status=no
fi

place=$(mktemp -d)
group=/sys/fs/cgroup/$([ "$(stat -fc %T /sys/fs/cgroup)" = cgroup2fs ] || echo systemd/)spawnpoint-check-$$
mkdir "$group"
(
    echo "$BASHPID" > "$group/cgroup.procs"
    exec unshare --mount --pid --fork --uts --ipc --net --cgroup --kill-child bash "$0" boot "$place"
) > "$place.log" 2>&1 &
unshare=$!
first=
clean() {
    [ -z "$first" ] || kill -KILL "$first" 2> /dev/null || true
    wait "$unshare" 2> /dev/null || true
    find "$group" -depth -type d -exec rmdir {} + 2> /dev/null || true
    rm -rf "$place" "$place.log"
}
trap clean EXIT
for _ in $(seq 60); do
    sleep 0.5
    first=$(pgrep -P "$unshare" || true)
    [ -n "$first" ] && nsenter -t "$first" -a -r -w systemctl is-active --quiet dbus 2> /dev/null && break
done
[ -n "$first" ] || { cat "$place.log"; exit 1; }
nsenter -t "$first" -a -r -w env -i PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin TERM=dumb bash /opt/spawnpoint/deploy/check-unit.sh look
