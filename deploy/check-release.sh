#!/bin/bash
# Runs a release where nothing else is: on a bare Debian root without git, compilers, npm, Node or a way out, as a user without rights.
# It is made of this checkout's commit, twice and in two folders, to be alike byte by byte; started, asked, backed up, updated to a second
# release (another version, one more migration) while somebody asks it all the time, taken back, and restored into an empty folder.
# Root with debootstrap and unshare; ten minutes, most of it two builds.
#
#   bash deploy/check-release.sh                     # DEBIAN_ROOT=/path names a Debian root that is copied in place of debootstrap
#
# It leaves nothing, in the checkout neither. Where it cannot run it says why, and that is no failure.
set -eu
checkout=$(cd "$(dirname "$0")/.." && pwd)

# Inside: the Debian root is at $2, without a network. What an operator does, in the order of docs/operating.md.
if [ "${1:-}" = look ]; then
    root=$2 first=$3 second=$4
    failed=0
    check() { local name=$1; shift; if "$@" > /tmp/said.$$ 2>&1; then echo "✔ $name"; else echo "✖ $name"; tail -20 /tmp/said.$$; failed=1; fi; }
    says() { local words=$1; shift; "$@" > /tmp/heard.$$ 2>&1; local code=$?; cat /tmp/heard.$$; grep -q -- "$words" /tmp/heard.$$ && [ $code -lt 2 ]; }
    ip link set lo up
    chroot "$root" install -d -m 0700 -o spawnpoint -g spawnpoint /var/lib/spawnpoint/backups
    mount -t proc proc "$root/proc"
    mount -t tmpfs tmpfs "$root/dev"
    for name in null zero full random urandom; do touch "$root/dev/$name" && mount --bind "/dev/$name" "$root/dev/$name"; done
    mkdir "$root/dev/shm" && chmod 1777 "$root/dev/shm"
    folder=/var/lib/spawnpoint/data
    as_user() {
        chroot --userspec=spawnpoint:spawnpoint "$root" /usr/bin/env -i PATH=/usr/bin:/bin HOME=/var/lib/spawnpoint \
            DATA_DIR="$folder" BACKUP_DIR=/var/lib/spawnpoint/backups PORT=3000 WEB_WORKERS=1 "$@"
    }
    spawnpoint() { as_user /opt/spawnpoint/spawnpoint "$@"; }
    node() { as_user /opt/spawnpoint/node_modules/node/bin/node "$@"; }
    stop() { kill -TERM "$(sed -n 's/^{"pid":\([0-9]*\),.*/\1/p' "$root$folder/holder.json")"; }
    lay_out() { tar -xzf "$1" -C "$root/opt" && ln -sfn "$(basename "$1" .tar.gz)" "$root/opt/spawnpoint"; }
    nothing_there() { for program in git gcc cc make npm node curl python3 psql; do ! chroot "$root" sh -c "command -v $program" || return 1; done; }
    page="fetch('http://127.0.0.1:3000/').then(async (a) => process.exit(a.status === 200 && (await a.text()).includes('</html>') ? 0 : 1), () => process.exit(1))"
    ready="(async () => { for (let n = 0; n < 1200; n += 1) { const a = await fetch('http://127.0.0.1:3000/readyz').catch(() => null); if (a?.ok) process.exit(0); await new Promise((r) => setTimeout(r, 50)); } process.exit(1); })()"
    milliseconds() { date +%s%3N; }

    check "nothing else is there" nothing_there
    check "there is no way out" sh -c '! ip route | grep .'
    before=$(milliseconds)
    check "the first release unpacks" lay_out "$first"
    echo "  unpacked in $(($(milliseconds) - before)) ms, $(du -sm "$root/opt/$(basename "$first" .tar.gz)" | cut -f1) MB; the tarball $(du -m "$first" | cut -f1) MB"
    check "it says its version" says "^Spawnpoint 0" spawnpoint --version
    before=$(milliseconds)
    spawnpoint start > "$root/var/log/site.log" 2>&1 &
    site=$!
    check "it starts" node -e "$ready"
    echo "  the very first start, database made, until it is ready: $(($(milliseconds) - before)) ms"
    check "it serves the home page" node -e "$page"
    check "it built and installed nothing" sh -c "! grep -iE 'install|build' '$root/var/log/site.log'"
    check "create-admin prints a link" says "/reset-password?token=" spawnpoint create-admin boss@example.org
    check "backup writes a file" says SHA-256 spawnpoint backup /var/lib/spawnpoint/backups/before.tar.zst
    check "it is proven" spawnpoint backup --verify /var/lib/spawnpoint/backups/before.tar.zst
    cp "$second" "$root/srv/" && chmod 644 "$root/srv/"*.tar.gz
    there=/srv/$(basename "$second")
    check "update --check names the migration" says "1 migration has not run: .*_one_more" spawnpoint update --check "$there"
    check "and the setting that is new" says "New setting ONE_MORE" spawnpoint update --check "$there"
    check "and the backup that there is" says "the newest is /var/lib/spawnpoint/backups/before.tar.zst" spawnpoint update --check "$there"
    check "and that no stop is needed" says "nobody is refused" spawnpoint update --check "$there"
    # Six ask all the time, three by kept connections.
    node -e "
      const { Agent, get } = require('node:http'); const seen = {}; let asking = true;
      const ask = (agent) => new Promise((resolve) => get('http://127.0.0.1:3000/', { agent }, (a) => a.resume().on('end', () => resolve(a.statusCode)).on('error', (e) => resolve('cut ' + e.code))).on('error', (e) => resolve('refused ' + e.code)));
      setInterval(() => { asking = !require('node:fs').existsSync('/srv/enough'); }, 50).unref();
      Promise.all([1, 1, 1, 0, 0, 0].map(async (keepAlive) => { const agent = new Agent({ keepAlive: !!keepAlive, maxSockets: 1 }); while (asking) { const s = await ask(agent); seen[s] = (seen[s] ?? 0) + 1; } agent.destroy(); }))
        .then(() => { console.log(JSON.stringify(seen)); process.exit(Object.keys(seen).join() === '200' ? 0 : 1); });
    " > /tmp/load.$$ 2>&1 &
    load=$!
    sleep 1
    check "the second release unpacks beside it" lay_out "$second"
    before=$(milliseconds)
    check "restart takes it over" says "^Restarted, without a refused request: Spawnpoint 99.0.0 (before: Spawnpoint 0" spawnpoint restart
    echo "  restarted in $(($(milliseconds) - before)) ms"
    sleep 1
    touch "$root/srv/enough"
    check "nobody was refused meanwhile" wait "$load"
    echo "  answers meanwhile: $(cat /tmp/load.$$)"
    check "the second version is the one that is there" says "^Spawnpoint 99.0.0" spawnpoint --version
    check "it serves the home page" node -e "$page"
    check "its tables are there: nothing is left to migrate" says "nothing to migrate" spawnpoint update --check "$there"
    check "the admin is still there" says "boss@example.org had an account" spawnpoint create-admin boss@example.org
    ln -sfn "$(basename "$first" .tar.gz)" "$root/opt/spawnpoint"
    check "one version back goes by a restart, too" says "^Restarted" spawnpoint restart
    check "it serves the home page" node -e "$page"
    stop
    check "it stops in order" wait "$site"
    ln -sfn "$(basename "$second" .tar.gz)" "$root/opt/spawnpoint"
    before=$(milliseconds)
    spawnpoint start > "$root/var/log/site.log" 2>&1 &
    site=$!
    check "the second version starts by itself" node -e "$ready"
    echo "  ready in $(($(milliseconds) - before)) ms"
    check "the page is still there" node -e "$page"
    stop
    check "it stops in order" wait "$site"
    folder=/var/lib/spawnpoint/restored
    check "the backup goes into an empty folder" says "Everybody has been signed out" spawnpoint restore /var/lib/spawnpoint/backups/before.tar.zst
    spawnpoint start > "$root/var/log/site.log" 2>&1 &
    site=$!
    check "the restored site starts" node -e "$ready"
    check "it serves the home page" node -e "$page"
    check "the admin is in it" says "boss@example.org had an account" spawnpoint create-admin boss@example.org
    stop
    check "it stops in order" wait "$site"
    [ $failed = 0 ] || tail -30 "$root/var/log/site.log" | cut -c1-300
    rm -f /tmp/said.$$ /tmp/heard.$$ /tmp/load.$$
    exit $failed
fi

skip() { echo "skipped: $1"; exit 0; }
[ "$(id -u)" = 0 ] || skip "only root can make a Debian root and go into it"
[ "$(uname -s)" = Linux ] || skip "it takes Linux"
command -v unshare > /dev/null && unshare --net true 2> /dev/null || skip "namespaces are closed here"
[ -n "${DEBIAN_ROOT:-}" ] || command -v debootstrap > /dev/null || skip "the package debootstrap is not installed"

node "$checkout/cli/launch.mjs" --version > /dev/null
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT

# A commit of a clone, each time in another folder; the packages are the checkout's, without what is kept to start faster.
make_release() {
    local log="$place/release.log"
    node cli/launch.mjs release "$@" > "$log" 2>&1 || { tail -30 "$log"; exit 1; }
    made=$PWD/$(sed -n 's#^\(release/.*\.tar\.gz\):.*#\1#p' "$log")
}
clone() {
    git clone --quiet --shared "$checkout" "$1"
    cp -al "$checkout/node_modules" "$1/node_modules"
    rm -rf "$1"/node_modules/.cache "$1"/node_modules/.vite*
    cd "$1"
}

echo "Making two releases, the first of them twice …"
clone "$place/first"
make_release --preview
first=$made
grep "all of it" "$place/release.log"
# The next version, as a commit that is thrown away.
clone "$place/next"
make_release --preview
code=0
if cmp "$first" "$made"; then echo "✔ two tarballs of one commit are alike byte by byte"; else code=1; echo "✖ two tarballs of one commit are alike byte by byte"; fi
node -e '
  const fs = require("node:fs");
  const own = JSON.parse(fs.readFileSync("package.json")); own.tablesSince = own.version; own.version = "99.0.0";
  fs.writeFileSync("package.json", JSON.stringify(own, null, 2) + "\n");
  const file = "db/migrations/meta/_journal.json", journal = JSON.parse(fs.readFileSync(file)), last = journal.entries.at(-1);
  const tag = String(last.idx + 1).padStart(4, "0") + "_one_more";
  journal.entries.push({ ...last, idx: last.idx + 1, when: last.when + 1000, tag });
  fs.writeFileSync(file, JSON.stringify(journal, null, 2) + "\n");
  fs.writeFileSync(`db/migrations/${tag}.sql`, "ALTER TABLE \"games\" ADD COLUMN \"one_more\" text;\n");
  const settings = fs.readFileSync("config/settings.ts", "utf8");
  fs.writeFileSync("config/settings.ts", settings.replace("  port: {\n", "  oneMore: { name: \"ONE_MORE\", check: hostName.optional(), unset: \"none\", help: \"One more.\" } as never,\n  port: {\n"));
  const log = fs.readFileSync("CHANGELOG.md", "utf8").replace("## [Unreleased]", "## [Unreleased]\n\n## [99.0.0] - 2099-01-01");
  fs.writeFileSync("CHANGELOG.md", log);
'
git -c user.name=check -c user.email=check@example.org commit --quiet --all --message "The next version" || true
git add --all && git -c user.name=check -c user.email=check@example.org commit --quiet --amend --no-edit
make_release
second=$made
cd "$checkout"

echo "Making a Debian root …"
if [ -n "${DEBIAN_ROOT:-}" ]; then cp -a "$DEBIAN_ROOT" "$place/debian"
else debootstrap --variant=minbase --include=libatomic1 bookworm "$place/debian" > "$place/debootstrap.log" 2>&1 || { tail -5 "$place/debootstrap.log"; skip "Debian cannot be fetched"; }
fi
chroot "$place/debian" useradd --system --home-dir /var/lib/spawnpoint --create-home --shell /usr/sbin/nologin spawnpoint
unshare --mount --net --pid --fork --kill-child bash "$checkout/deploy/check-release.sh" look "$place/debian" "$first" "$second" || code=1
exit "$code"
