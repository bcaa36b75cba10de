#!/bin/sh
# Any command of Spawnpoint out of an unpacked release, by the Node that came with it: ./spawnpoint start. The folder keeps the
# name by which it was called, so that a link to it may lead to the next version meanwhile.
file=$0
while [ -L "$file" ]; do
    to=$(readlink "$file")
    case $to in /*) file=$to ;; *) file=$(dirname "$file")/$to ;; esac
done
here=$(cd "$(dirname "$file")" && pwd) || exit 1
node=$here/node_modules/node/bin/node
if ! said=$("$node" --version 2>&1); then
    case $said in
        *libatomic*) said="this machine has no libatomic.so.1. On Debian and Ubuntu: \`apt-get install libatomic1\`, as root; then start again." ;;
        *GLIBC*) said="this system is too old for it. Use Debian 12, Ubuntu 22.04 or newer, or a container." ;;
        *) said="it is made for another kind of machine, or for systems with glibc, which this one is not ($said)." ;;
    esac
    echo "Node 26 cannot run here: $said" >&2
    exit 1
fi
export SPAWNPOINT_COMMAND="${SPAWNPOINT_COMMAND:-$0}"
exec "$node" "$here/cli/spawnpoint.ts" "$@"
