#!/bin/sh
# Tells a Spawnpoint site how many people are on a game server of this machine. It counts and sends two numbers: no names,
# no addresses. It needs sh, curl, and what Linux has anyway (ss, awk, sed; journalctl where a log is read from the journal).
#
#   spawnpoint-heartbeat install GAME SITE_URL TOKEN [NAME]   as root: sets it up as the service spawnpoint-heartbeat@NAME
#   spawnpoint-heartbeat run                                  reports every half minute, until it is stopped
#   spawnpoint-heartbeat once                                 reports once
#   spawnpoint-heartbeat count                                says what it would report, and sends nothing
#
# GAME is palworld, valheim, aion, tera or skyrim. NAME is GAME, unless there are several of it on this machine.
# From the environment (the service has it from /etc/spawnpoint-heartbeat/NAME.env):
#   GAME, SITE_URL, TOKEN  as above
#   PORT      where the game listens: 8212 (Palworld's REST), 2456, 7777, 7801, 10578
#   PASSWORD  Palworld's admin password; it stays on this machine
#   UNIT      the service of systemd whose journal is read (Valheim, Skyrim Together): valheim, skyrim-together
#   LOG       the file that is read instead of a journal
#   MAX       how many may be on, where the game does not tell it
#   EVERY     seconds between two reports: 30
set -eu

complain() {
  printf 'spawnpoint-heartbeat: %s\n' "$*" >&2
}

# Whether something listens at a port of this machine: udp 2456.
listens() {
  case $1 in
    udp) found=$(ss -Hlun "sport = :$2") ;;
    *) found=$(ss -Hltn "sport = :$2") ;;
  esac
  [ -n "$found" ]
}

# What the game has written since the machine started; only the end of it where that is very much.
read_log() {
  if [ -n "${LOG:-}" ]; then
    tail -n 100000 "$LOG"
  else
    journalctl --no-pager -q -b -o cat -n 100000 -u "${UNIT:-$1}"
  fi
}

# Each of these sets players (a number, or null: nobody can tell) and max, and fails where the game does not run.

# Its own interface, asked on this machine. The password goes in by a pipe: the list of processes shows what is called.
count_palworld() {
  told=$(
    printf 'user = "admin:%s"\n' "$(printf '%s' "${PASSWORD:-}" | sed 's/[\\"]/\\&/g')" |
      curl -fsS --max-time 5 --noproxy '*' -K - "http://127.0.0.1:${PORT:-8212}/v1/api/metrics" | tr -d '\n'
  ) || return 1
  players=$(printf '%s' "$told" | sed -n 's/.*"currentplayernum" *: *\([0-9]\{1,6\}\).*/\1/p')
  max=$(printf '%s' "$told" | sed -n 's/.*"maxplayernum" *: *\([0-9]\{1,6\}\).*/\1/p')
  [ -n "$players" ]
}

# With crossplay it says how many are on whenever somebody comes or goes.
count_valheim() {
  listens udp "${PORT:-2456}" || return 1
  players=$(read_log valheim | sed -n \
    -e 's/.*, now \([0-9]\{1,4\}\) player(s).*/\1/p' \
    -e 's/.* is active with \([0-9]\{1,4\}\) player(s).*/\1/p' | tail -n 1)
}

# One connection for each who plays; those of this machine are other parts of the server.
count_connections() {
  listens tcp "$1" || return 1
  players=$(ss -Htn state established "sport = :$1" |
    awk '$4 !~ /^(127\.|\[::1\]|\[::ffff:127\.)/ { n++ } END { print n + 0 }')
}

# It says who comes and who goes by the number of a connection; a start begins anew. Without a start nobody can tell.
count_skyrim() {
  listens udp "${PORT:-10578}" || return 1
  players=$(read_log skyrim-together | awk '
    /Server .* started on port/ { split("", on); begun = 1 }
    /New player .*\[[0-9a-fA-F]+\] connected with/ {
      match($0, /\[[0-9a-fA-F]+\] connected with/)
      id = substr($0, RSTART + 1)
      sub(/\].*/, "", id)
      on[tolower(id)] = 1
    }
    /Connection ended [0-9a-fA-F]+ / {
      match($0, /Connection ended [0-9a-fA-F]+/)
      delete on[tolower(substr($0, RSTART + 17, RLENGTH - 17))]
    }
    END { for (one in on) n++; if (begun) print n + 0 }')
}

count() {
  players=''
  max=''
  case ${GAME:-} in
    palworld) count_palworld ;;
    valheim) count_valheim ;;
    aion) count_connections "${PORT:-7777}" ;;
    tera) count_connections "${PORT:-7801}" ;;
    skyrim) count_skyrim ;;
    *)
      complain "GAME is palworld, valheim, aion, tera or skyrim, not \"${GAME:-}\""
      exit 2
      ;;
  esac || return 1
  max=${max:-${MAX:-null}}
  report=$(printf '{"players":%s,"max_players":%s}' "${players:-null}" "$max")
}

send() {
  printf 'header = "Authorization: Bearer %s"\n' "$TOKEN" |
    curl -fsS --max-time 10 -o /dev/null -K - -H 'Content-Type: application/json' --data "$report" \
      "${SITE_URL%/}/api/v1/heartbeat"
}

# Says what came of it, once for as long as it stays so.
tell() {
  [ "$1" = "${last:-}" ] || complain "$1"
  last=$1
}

once() {
  if ! count; then
    tell 'the game does not run here, or does not answer: nothing is reported'
    return 1
  elif ! send; then
    tell 'the site did not take the report; it is tried again'
    return 1
  fi
  tell 'reporting'
}

run() {
  while :; do
    once || :
    sleep "${EVERY:-30}"
  done
}

# ROOT stands before every path that is written: for packages, and for those who only look.
set_up() {
  if [ $# -lt 3 ]; then
    complain 'install needs GAME SITE_URL TOKEN'
    exit 2
  fi
  GAME=$1 SITE_URL=${2%/} TOKEN=$3 name=${4:-$1}
  case $GAME in palworld | valheim | aion | tera | skyrim) ;; *) count ;; esac
  case $name$TOKEN in *[!A-Za-z0-9_.-]*)
    complain 'a name and a token have letters, digits, ".", "_" and "-" alone'
    exit 2
    ;;
  esac
  root=${ROOT:-}
  settings=$root/etc/spawnpoint-heartbeat/$name.env
  mkdir -p "$root/usr/local/bin" "$root/etc/spawnpoint-heartbeat" "$root/etc/systemd/system"
  cp "$0" "$root/usr/local/bin/spawnpoint-heartbeat"
  chmod 755 "$root/usr/local/bin/spawnpoint-heartbeat"
  curl -fsS "$SITE_URL/heartbeat/spawnpoint-heartbeat@.service" -o "$root/etc/systemd/system/spawnpoint-heartbeat@.service"
  (
    umask 077
    {
      printf 'GAME=%s\nSITE_URL=%s\nTOKEN=%s\n' "$GAME" "$SITE_URL" "$TOKEN"
      case $GAME in
        palworld) printf '# The admin password of PalWorldSettings.ini; it stays here.\nPASSWORD="%s"\n' "${PASSWORD:-}" ;;
        valheim) printf '# Whose journal tells: the service of the game. Or LOG=, a file.\nUNIT=%s\n' "${UNIT:-valheim}" ;;
        skyrim) printf '# Whose journal tells: the service of the game. Or LOG=, a file.\nUNIT=%s\n' "${UNIT:-skyrim-together}" ;;
      esac
    } >"$settings"
  )
  if [ -z "$root" ]; then
    systemctl daemon-reload
    systemctl enable --now "spawnpoint-heartbeat@$name"
  fi
  complain "set up. Its settings are in $settings; after a change: systemctl restart spawnpoint-heartbeat@$name"
}

case ${1:-} in
  install)
    shift
    set_up "$@"
    ;;
  run) run ;;
  once) once ;;
  count) count && printf '%s\n' "$report" ;;
  *)
    complain 'run, once, count, or install GAME SITE_URL TOKEN'
    exit 2
    ;;
esac
